/** SQL: the columns of sanctions_versions, named as the properties of VersionRecord. */
export const VERSION_COLUMNS = `code, version, state, reject_reason as "rejectReason", source,
  restored_version as "restoredVersion", accepted_shrink as "acceptedShrink", format, sha256,
  published_at as "publishedAt", received_at as "receivedAt", activated_at as "activatedAt", entries, names, wallets,
  added, changed, removed, faults, parser_version as "parserVersion"`;
