#!/bin/sh
# Create the files that must not be in a repository: the secret file, the configurations of both
# Redis with the hashes of new passwords, and the URLs with the passwords. `archiver.env` is for the
# worker alone: with it, archived matches can be removed from the log. `auditor.env` is for the process
# that audits: with it, logs can only be read.
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
for file in secrets.json redis-log.conf redis-work.conf password archiver-password \
    auditor-password urls.env archiver.env auditor.env; do
    if [ -e "$folder/$file" ]; then
        echo "$folder/$file already exists. Nothing was changed." >&2
        exit 1
    fi
done
"$shiplog" secrets > "$folder/secrets.json"
random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
hashed() { printf %s "$1" | sha256sum | cut -d' ' -f1; }
password=$(random)
archiver=$(random)
auditor=$(random)
printf %s "$password" > "$folder/password"
printf %s "$archiver" > "$folder/archiver-password"
printf %s "$auditor" > "$folder/auditor-password"
for name in log work; do
    sed -e "s/<sha256-of-the-password>/$(hashed "$password")/" \
        -e "s/<sha256-of-the-archivers-password>/$(hashed "$archiver")/" \
        -e "s/<sha256-of-the-auditors-password>/$(hashed "$auditor")/" \
        "$here/redis-$name.conf" > "$folder/redis-$name.conf"
done
{
    echo "SHIPLOG_LOG_URL=$log_url"
    echo "SHIPLOG_WORK_URL=$work_url"
} | sed "s/PASSWORD/$password/" > "$folder/urls.env"
echo "SHIPLOG_LOG_ARCHIVER_URL=$log_url" | sed "s/shiplog:PASSWORD/archiver:$archiver/" > "$folder/archiver.env"
sed "s/shiplog:$password/auditor:$auditor/" "$folder/urls.env" > "$folder/auditor.env"
