#!/bin/sh
# Runs once, when the database is made: the owner, who migrates, and the application, who can add events but neither
# change nor remove one. Privileges are granted by the migrations themselves.
set -eu

psql -v ON_ERROR_STOP=1 --no-psqlrc --quiet --username "$POSTGRES_USER" --dbname postgres <<SQL
\set owner_password \`cat /run/secrets/owner_password\`
\set application_password \`cat /run/secrets/application_password\`
CREATE ROLE repli_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE repli_app LOGIN PASSWORD :'application_password';
CREATE DATABASE repli OWNER repli_owner ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE repli FROM PUBLIC;
GRANT CONNECT ON DATABASE repli TO repli_app;
SQL
