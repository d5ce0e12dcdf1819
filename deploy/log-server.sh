#!/bin/sh
# Start the server of the log in its folder, and keep its words there in server.log.
#
#   log-server.sh FOLDER SERVER ARGUMENTS…
#
# After a failed sync the kernel may show data that never reached the disk. A server that loads it
# would acknowledge what a loss of power takes away. So the append file is first copied to other
# blocks and synced. If that fails as well, nothing is served (docs/operations.md).
set -eu
folder=$1
shift
cd "$folder"
if grep -q "Can't persist AOF for fsync error" server.log 2>/dev/null; then
    for file in appendonly.aof appendonlydir/*; do
        case $file in *.anew) continue ;; esac
        [ -f "$file" ] || continue
        if ! dd if="$file" of="$file.anew" bs=1M conv=fsync status=none; then
            echo "The last sync failed, and so does a copy of $file: check the disk of $folder." >&2
            exit 1
        fi
        mv "$file.anew" "$file"
        sync "$(dirname "$file")"
    done
    echo "The last sync failed. The append file was copied and synced: check the disk of $folder." >&2
fi
if [ -f server.log ]; then mv server.log server.log.old; fi
: > server.log
tail -n +1 -F --pid=$$ server.log &
exec "$@" --dir "$folder" --logfile server.log
