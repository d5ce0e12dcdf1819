#!/bin/sh
# Assign the slots once. A cluster that has them is not changed.
set -eu
keeper() { valkey-cli --no-auth-warning --user keeper -a "$REDIS_PASSWORD" "$@"; }
nodes=""
for number in 0 1 2 3 4 5; do
    name="redis-log-$number.redis-log"
    until keeper -h "$name" ping | grep -q PONG; do sleep 1; done
    nodes="$nodes $(getent hosts "$name" | cut -d' ' -f1):6379"
done
if keeper -h redis-log-0.redis-log cluster info | grep -q 'cluster_slots_assigned:16384'; then
    echo "the slots are given out"
    exit 0
fi
# shellcheck disable=SC2086 # one argument for each
keeper --cluster create $nodes --cluster-replicas 1 --cluster-yes
