#!/bin/sh
# Start Redis with a configuration file in which the hashes of the passwords are filled in. The
# arguments after the name of the file are options of the server. SERVER is the command that runs it.
set -eu
hashed() { printf %s "$1" | sha256sum | cut -d' ' -f1; }
sed -e "s/<sha256-of-the-password>/$(hashed "$REDIS_PASSWORD")/" \
    -e "s/<sha256-of-the-archivers-password>/$(hashed "${ARCHIVER_PASSWORD-}")/" \
    -e "s/<sha256-of-the-auditors-password>/$(hashed "$AUDITOR_PASSWORD")/" \
    "/etc/shiplog/$1" > /run/redis/redis.conf
shift
# shellcheck disable=SC2086 # words of a command
exec ${SERVER:-valkey-server} /run/redis/redis.conf --tls-port 0 --port 6379 --protected-mode no "$@"
