/** Parameters of a request by name; null where only the name is kept. */
export type AuditedParameters = Readonly<Record<string, string | null>>;

const VALUE_LIMIT = 200;

/**
 * Parameters of paths and queries whose values an entry keeps: choices, dates, numbers and codes. Of any other one, such as
 * `q`, `_reference`, `_destination`, `_transactionHash`, `address` and `reason`, only the name is kept, because its value may name a person or
 * a wallet.
 */
const KEPT = new Set(
  [
    '_start _end _sort _order _limit _from _to _updatedFrom _after',
    '_status _subStatus _direction _clearance _nextAction _hold _type _kind _role _state _flow _step _policy',
    '_sanctioned _riskSeverity _counterpartyEntityId _actor _userId _apiKeyId _tenantId',
    'kind feature code source version ym files fileId documentId backtestId',
  ]
    .join(' ')
    .split(' '),
);

/** The names of the given parameters, with the values of those that may be kept. Call it with checked parameters only. */
export function auditedParameters(
  given: Iterable<[name: string, value: string]>,
): Record<string, string | null> {
  const kept: Record<string, string | null> = {};
  for (const [name, value] of given) {
    const before = kept[name];
    if (!KEPT.has(name)) kept[name] = null;
    else kept[name] = (before ? `${before},${value}` : value).slice(0, VALUE_LIMIT);
  }
  return kept;
}
