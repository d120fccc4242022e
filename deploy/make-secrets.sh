#!/bin/sh
# Makes the secrets of deploy/compose.yaml, one file each, in deploy/secrets (or the folder named). What is there stays.
# The folder is closed to others; the files in it can be read by the containers' users.
set -eu

folder=${1:-$(dirname "$0")/secrets}
mkdir -p "$folder"
chmod 700 "$folder"

random() { od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n'; }
keep() {  # keep NAME VALUE: write a file that is not there yet
    [ -s "$folder/$1" ] || printf '%s' "$2" >"$folder/$1"
    chmod 444 "$folder/$1"
}

for name in postgres_password owner_password application_password valkey_password repli_secret_key; do
    keep "$name" "$(random)"
done
keep database_url "postgresql://repli_app:$(cat "$folder/application_password")@postgres:5432/repli"
keep migrate_database_url "postgresql://repli_owner:$(cat "$folder/owner_password")@postgres:5432/repli"
keep redis_url "redis://:$(cat "$folder/valkey_password")@valkey:6379/0"
keep valkey_auth "requirepass $(cat "$folder/valkey_password")
"
echo "secrets are in $folder"
