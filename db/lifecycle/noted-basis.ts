import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { NotedBasis } from '../../domain/transactions/lifecycle/next-step.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { isSelfHosted, selfHostedWallet } from '../../domain/transactions/self-hosted-wallet.ts';
import type { Queryable } from '../postgres.ts';
import { readBasis, storedFactsOf, type JudgementBasis } from './judgement-basis.ts';

/** What a verdict that is not stored yet rests on, for a workflow: numbers of versions and a digest, no names. */
export function noteBasis(basis: JudgementBasis, { screeningDueSince }: TransactionRecord): NotedBasis {
  const { listVersions, rulesVersion } = basis;
  return {
    dueSinceMs: screeningDueSince?.getTime() ?? null,
    // As in isUnchangedBasis: what was not searched or evaluated does not count.
    listVersions: Object.keys(listVersions).length === 0 ? null : listVersions,
    rulesVersion,
    facts: digestOf(basis),
  };
}

/** Whether the verdict still counts for the record, which goes to this counterparty. */
export async function isAsNoted(
  db: Queryable,
  { record, entityId }: { record: TransactionRecord; entityId: string | null },
  noted: NotedBasis,
): Promise<boolean> {
  const { tenantId, direction } = record;
  const wallet = isSelfHosted(record) ? selfHostedWallet(record) : null;
  const now = await readBasis(db, { tenantId, direction, counterpartyEntityId: entityId, wallet });
  const { dueSinceMs, listVersions, rulesVersion, facts } = noteBasis(now, record);
  return (
    dueSinceMs === noted.dueSinceMs &&
    facts === noted.facts &&
    (noted.rulesVersion === null || noted.rulesVersion === rulesVersion) &&
    (noted.listVersions === null || isDeepStrictEqual(noted.listVersions, listVersions))
  );
}

function digestOf(basis: JudgementBasis): string {
  const facts = sorted({ settings: basis.settings, ...storedFactsOf(basis) });
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

/** The value with the members of its objects in the order of their names: PostgreSQL and this process may order them differently. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    members.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, member]) => [name, sorted(member)]),
  );
}
