#!/bin/sh
# /etc/cardprice/basebackup.sh: makes a base backup beside the archive of WAL, to restore from to a
# point in time, and removes what is too old of both. cardprice-basebackup.timer runs it on each
# database machine. The first replica that comes to it makes that of the night, and has no client
# wait for it.
set -eu
umask 077

# So many are kept, with the WAL from the oldest on.
KEEP=7

PATH=$PATRONI_POSTGRESQL_BIN_DIR:$PATH
export PGHOST="${PATRONI_POSTGRESQL_CONNECT_ADDRESS%:*}"
export PGPORT="${PATRONI_POSTGRESQL_CONNECT_ADDRESS##*:}"
export PGUSER="$PATRONI_REPLICATION_USERNAME"
export PGPASSWORD="$PATRONI_REPLICATION_PASSWORD"

is_replica=$(psql --no-psqlrc --tuples-only --no-align --dbname postgres \
  --command 'select pg_is_in_recovery()')
if [ "$is_replica" != t ]; then
  echo 'The primary leaves it to the replicas.'
  exit
fi

backups=$WAL_ARCHIVE/base
mkdir -p "$backups"
# Another machine that is at it is waited for. When it dies, its lock is gone.
exec 9> "$backups/lock"
flock 9
if [ -n "$(find "$backups" -maxdepth 1 -name '20*' -mmin -720)" ]; then
  echo 'There is one of the last 12 hours.'
  exit
fi

rm -rf "$backups/unfinished"
pg_basebackup --no-password --checkpoint fast --pgdata "$backups/unfinished"
pg_verifybackup --quiet "$backups/unfinished"
# Its name is when it was complete: any moment after that can be restored from it.
complete=$backups/$(date --utc +%Y-%m-%dT%H:%M:%SZ)
mv "$backups/unfinished" "$complete"
echo "Made $complete."

find "$backups" -maxdepth 1 -name '20*' | sort | head --lines "-$KEEP" | xargs --no-run-if-empty rm -rf
oldest=$(find "$backups" -maxdepth 1 -name '20*' | sort | head --lines 1)
first=$(sed -n 's/^START WAL LOCATION: .* (file \([0-9A-F]*\))$/\1/p' "$oldest/backup_label")
pg_archivecleanup "$WAL_ARCHIVE" "$first"
