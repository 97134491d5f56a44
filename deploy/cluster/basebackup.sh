#!/bin/sh
# /etc/cardprice/basebackup.sh: makes a base backup next to the WAL archive, for point-in-time
# recovery, and removes old backups and WAL. cardprice-basebackup.timer runs it on each database
# machine. The first replica to get the lock makes the backup of the night, so no client waits for it.
set -eu
umask 077

# The number of base backups to keep, with all WAL since the oldest.
KEEP=7

PATH=$PATRONI_POSTGRESQL_BIN_DIR:$PATH
export PGHOST="${PATRONI_POSTGRESQL_CONNECT_ADDRESS%:*}"
export PGPORT="${PATRONI_POSTGRESQL_CONNECT_ADDRESS##*:}"
export PGUSER=replicator

is_replica=$(psql --no-psqlrc --tuples-only --no-align --dbname postgres \
  --command 'select pg_is_in_recovery()')
if [ "$is_replica" != t ]; then
  echo 'The primary leaves it to the replicas.'
  exit
fi

backups=$WAL_ARCHIVE/base
mkdir -p "$backups"
# Waits for another machine that is making the backup. If that machine dies, its lock is released.
exec 9> "$backups/lock"
flock 9
if [ -n "$(find "$backups" -maxdepth 1 -name '20*' -mmin -720)" ]; then
  echo 'There is one of the last 12 hours.'
  exit
fi

rm -rf "$backups/unfinished"
pg_basebackup --no-password --checkpoint fast --pgdata "$backups/unfinished"
pg_verifybackup --quiet "$backups/unfinished"
# Named after the moment when it was complete: it can restore any later moment.
complete=$backups/$(date --utc +%Y-%m-%dT%H:%M:%SZ)
mv "$backups/unfinished" "$complete"
echo "Made $complete."

find "$backups" -maxdepth 1 -name '20*' | sort | head --lines "-$KEEP" | xargs --no-run-if-empty rm -rf
oldest=$(find "$backups" -maxdepth 1 -name '20*' | sort | head --lines 1)
first=$(sed -n 's/^START WAL LOCATION: .* (file \([0-9A-F]*\))$/\1/p' "$oldest/backup_label")
pg_archivecleanup "$WAL_ARCHIVE" "$first"
