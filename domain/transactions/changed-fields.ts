import type { TransactionRecord } from './record.ts';

export const HASH_FIELD = 'blockchainInfo.transactionHash';

/** The fields that a PATCH can change and that differ between two states of a record, named as in the API. */
export function changedFields(before: TransactionRecord, after: TransactionRecord): string[] {
  const [old, current] = [valuesOf(before), valuesOf(after)];
  const names = new Set([...old.keys(), ...current.keys()]);
  return [...names].filter((name) => old.get(name) !== current.get(name)).sort();
}

/** Field names and their values as JSON, for comparison only. */
function valuesOf(record: TransactionRecord): Map<string, string> {
  const {
    originator,
    beneficiary,
    vaspInfo,
    received: _received,
    repair: _repair,
    ...others
  } = record.personal;
  const fields = {
    ...prefixed('originator', originator),
    ...prefixed('beneficiary', beneficiary),
    ...prefixed('vaspInfo', vaspInfo),
    ...others,
    statusReasonCode: record.statusReasonCode,
    'blockchainInfo.blockchain': record.blockchain,
    'blockchainInfo.origin': record.origin,
    [HASH_FIELD]: record.transactionHash,
  };
  return new Map(Object.entries(fields).map(([name, value]) => [name, JSON.stringify(value)]));
}

function prefixed(section: string, fields: object | null): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields ?? {}).map(([field, value]) => [`${section}.${field}`, value as unknown]),
  );
}
