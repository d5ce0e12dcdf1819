#!/bin/sh
# Start a node. Its id is on its volume, and its address may change at every start.
set -eu
hash=$(printf %s "$REDIS_PASSWORD" | sha256sum | cut -d' ' -f1)
cat > /run/redis/users.conf <<USERS
user replica on #$hash resetchannels -@all +psync +replconf +ping
user keeper on #$hash ~* resetchannels -@all +cluster +info +ping +config|get +auth +hello +command +dbsize +readonly
USERS
export SERVER='sh /etc/shiplog/log-server.sh /data valkey-server'
exec sh /etc/shiplog/start.sh redis-log.conf --include /run/redis/users.conf \
    --cluster-enabled yes --cluster-config-file nodes.conf --cluster-node-timeout 5000 \
    --cluster-require-full-coverage no --cluster-announce-ip "$POD_IP" \
    --masteruser replica --masterauth "$REDIS_PASSWORD" \
    --min-replicas-to-write 1 --min-replicas-max-lag 10
