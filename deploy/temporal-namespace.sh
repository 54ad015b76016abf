#!/bin/sh
# Makes the namespace and the search attributes that the workflows use, whatever is there already. TEMPORAL_ADDRESS and
# TEMPORAL_NAMESPACE say where. The attributes are those of workflows/contract.ts: a test compares them.
set -eu

RETENTION=30d
ATTRIBUTES='
TrTenant=Keyword
TrTenantName=Keyword
TrSummary=Keyword
TrKind=Keyword
TrStatus=Keyword
TrWaitingFor=Keyword
TrSubject=Keyword
TrStuck=Bool
TrDeadline=Datetime
'

# A new server, and a new namespace, take some seconds until every part of the server knows them.
eventually() {
  tries=30
  until "$@"; do
    tries=$((tries - 1))
    if [ "$tries" = 0 ]; then
      echo "given up: $*" >&2
      exit 1
    fi
    sleep 2
  done
}

ensure_namespace() {
  temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1 ||
    temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention "$RETENTION"
}

ensure_attribute() {
  there="$(temporal operator search-attribute list --namespace "$TEMPORAL_NAMESPACE")" || return 1
  printf '%s\n' "$there" | grep -qw "$1" ||
    temporal operator search-attribute create --namespace "$TEMPORAL_NAMESPACE" --name "$1" --type "$2"
}

eventually temporal operator cluster health
eventually ensure_namespace
for attribute in $ATTRIBUTES; do
  eventually ensure_attribute "${attribute%=*}" "${attribute#*=}"
done
