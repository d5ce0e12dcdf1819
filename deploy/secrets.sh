#!/bin/sh
# Create the files that must not be in a repository: the secret file, the configurations of both
# Redis with the hash of a new password, and the URLs with the password.
#
#   deploy/secrets.sh FOLDER LOG_URL WORK_URL      PASSWORD in the URLs is replaced
#
# For compose:    deploy/secrets.sh deploy/secrets redis://shiplog:PASSWORD@log:6379 redis://shiplog:PASSWORD@work:6379
# For systemd:    deploy/secrets.sh /etc/shiplog unix://shiplog:PASSWORD@/run/shiplog-log/redis.sock unix://…
# For Kubernetes: see deploy/kubernetes/README.md
set -eu
folder=$1 log_url=$2 work_url=$3
here=$(dirname "$0")
shiplog=${SHIPLOG:-$here/../.venv/bin/shiplog}
umask 077
mkdir -p "$folder"
for file in secrets.json redis-log.conf redis-work.conf password urls.env; do
    if [ -e "$folder/$file" ]; then
        echo "$folder/$file already exists. Nothing was changed." >&2
        exit 1
    fi
done
"$shiplog" secrets > "$folder/secrets.json"
password=$(od -An -N32 -tx1 /dev/urandom | tr -d ' \n')
printf %s "$password" > "$folder/password"
hash=$(printf %s "$password" | sha256sum | cut -d' ' -f1)
for name in log work; do
    sed "s/<sha256-of-the-password>/$hash/" "$here/redis-$name.conf" > "$folder/redis-$name.conf"
done
{
    echo "SHIPLOG_LOG_URL=$log_url"
    echo "SHIPLOG_WORK_URL=$work_url"
} | sed "s/PASSWORD/$password/" > "$folder/urls.env"
