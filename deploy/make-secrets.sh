#!/bin/sh
# Makes the secrets that docker-compose.yml mounts, each once: what is there already is kept. The folder is for its owner
# only; its files can be read by everyone, because inside a container it is another user who reads them.
set -eu

umask 077
folder="$(dirname "$0")/secrets"
mkdir -p "$folder"
chmod 700 "$folder"

random() {
  head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n'
}

# The new name appears only when the whole secret is in it.
make() {
  if [ ! -e "$folder/$1" ]; then
    printf '%s' "$2" >"$folder/$1.new"
    chmod 444 "$folder/$1.new"
    mv "$folder/$1.new" "$folder/$1"
    echo "made $folder/$1"
  fi
}

make master_key "$(random)"
make operator_key "$(random)"
make postgres_password "$(random)"
make temporal_database_password "$(random)"
make waybill_database_password "$(random)"
make waybill_service_database_password "$(random)"
# The migrations run as the owner of the tables, api and worker as a role that owns none.
make database_owner_url "postgres://waybill:$(cat "$folder/waybill_database_password")@postgres:5432/waybill"
make database_url "postgres://waybill_service:$(cat "$folder/waybill_service_database_password")@postgres:5432/waybill"
# No secret by itself, but node addresses may hold passwords; [] is none.
make chains '[]'
# To be replaced where files go to a bucket.
make s3_secret_access_key 'none'
# To be filled where mails are sent: smtps://user:password@host:port.
make smtp_url ''
make trp_tls_ca ''
make trp_tls_cert ''
make trp_tls_key ''
# To be filled where operators have keys of their own: name:key, several by comma.
make operator_keys ''
