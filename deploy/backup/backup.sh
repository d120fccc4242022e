#!/usr/bin/env bash
# Back up the database of Repli: deploy/backup/backup.sh FOLDER
#
# Makes FOLDER/repli-TIME with database.dump (pg_dump's custom format), heads.jsonl (the chain heads of all games, from
# the very same snapshot) and SHA256SUMS, and prints its name. Games go on meanwhile. The database is the one of the
# settings (MIGRATE_DATABASE_URL, DATABASE_URL, .env, or what `make run` has started); not through pgbouncer.
# The dump holds the seeds of running games: keep it as secret as the database itself. See README, Operating.
set -euo pipefail
umask 077

die() { printf 'backup: %s\n' "$*" >&2; exit 1; }

[ $# -eq 1 ] || die "give the folder for backups: $0 FOLDER"
mkdir -p "$1"
into=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
python=${REPLI_PYTHON:-.venv/bin/python}
command -v "$python" >/dev/null || die "$python is missing: run 'make setup', or name a Python in REPLI_PYTHON"

name=repli-$(date -u +%Y%m%dT%H%M%SZ)
unfinished=$into/.$name.unfinished
secrets=$(mktemp -d)
trap 'rm -rf "$secrets" "$unfinished"' EXIT
mkdir "$unfinished"

tools=$("$python" -m config.libpq tools "$secrets")
export PGSERVICEFILE=$secrets/service PGSERVICE=repli PG_DUMP=$tools/pg_dump DUMP=$unfinished/database.dump

# psql holds the snapshot open while pg_dump reads it. The heads are as `manage.py verify_events` exports them.
"$tools/psql" --no-psqlrc --quiet --tuples-only --no-align --set ON_ERROR_STOP=1 --output "$unfinished/heads.jsonl" <<'SQL'
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
SELECT pg_export_snapshot() AS snapshot \gset
\setenv SNAPSHOT :snapshot
SELECT format('{"game_id":"%s","version":%s,"head":"%s"}', id, version, encode(head, 'hex')) FROM games_game ORDER BY id;
\! "$PG_DUMP" --format=custom --no-owner --no-privileges --snapshot="$SNAPSHOT" --file="$DUMP.part" && mv "$DUMP.part" "$DUMP"
COMMIT;
SQL
[ -s "$DUMP" ] || die "pg_dump failed"

(cd "$unfinished" && sha256sum database.dump heads.jsonl >SHA256SUMS)
sync "$unfinished"/* "$unfinished" 2>/dev/null || sync
mv "$unfinished" "$into/$name"
printf '%s\n' "$into/$name"
