#!/bin/sh
# Makes Temporal's two databases, or brings them to the schema of this version of the tool; safe to run at every start.
# SQL_PLUGIN, SQL_HOST, SQL_PORT and SQL_USER say where.
set -eu

SQL_PASSWORD="$(cat "$SQL_PASSWORD_FILE")"
export SQL_PASSWORD

bring_up_to_date() {
  temporal-sql-tool --db "$1" create
  temporal-sql-tool --db "$1" setup-schema -v 0.0
  temporal-sql-tool --db "$1" update-schema --schema-name "postgresql/v12/$2"
}

bring_up_to_date temporal temporal
bring_up_to_date temporal_visibility visibility
