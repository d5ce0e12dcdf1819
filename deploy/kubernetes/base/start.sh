#!/bin/sh
# Start Redis with a configuration file in which the password's hash is filled in. The arguments after
# the name of the file are options of the server.
set -eu
hash=$(printf %s "$REDIS_PASSWORD" | sha256sum | cut -d' ' -f1)
sed "s/<sha256-of-the-password>/$hash/" "/etc/shiplog/$1" > /run/redis/redis.conf
shift
exec valkey-server /run/redis/redis.conf --tls-port 0 --port 6379 --protected-mode no "$@"
