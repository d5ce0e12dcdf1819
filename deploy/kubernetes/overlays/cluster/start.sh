#!/bin/sh
# Start a Redis on the documented configuration, with the password's hash in it; further words are its options.
set -eu
hash=$(printf %s "$REDIS_PASSWORD" | sha256sum | cut -d' ' -f1)
sed "s/<sha256-of-the-password>/$hash/" "/etc/shiplog/$1" > /run/redis/redis.conf
shift
exec valkey-server /run/redis/redis.conf --tls-port 0 --port 6379 --protected-mode no "$@"
