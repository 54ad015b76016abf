import { isDeepStrictEqual } from 'node:util';
import { foldName } from '../../domain/fold.ts';
import type { OpenNetworks } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import { keepNames } from '../routes/name-lock.ts';
import { destinationRoute, entityRoute, shareRoutes, vaspRoute } from '../routes/route-lock.ts';
import type { ScreeningVerdict } from '../../domain/transactions/deciding/apply-verdict.ts';
import type { OpenTransaction } from '../transactions/row.ts';
import { readBasis, type JudgementBasis } from './judgement-basis.ts';
import { counterpartyOf } from './resolve-counterparty.ts';

/** A verdict that is to be stored. */
interface JudgedTransfer {
  open: OpenTransaction;
  verdict: ScreeningVerdict;
  basis: JudgementBasis;
}

/**
 * Keeps the counterparties of transfers that are to be stored as waiting under a rule, until the end of the transaction:
 * whoever changes one of them afterwards finds the transfer and wakes it. False if one has changed since it was judged, or
 * an import of the directory may be about to change it: judge again. Call it before any row is locked. The wallets of
 * self-hosted transfers need no lock: their verifications wake transfers that are being decided, too.
 */
export async function keepWaitFacts(
  tx: Queryable,
  judged: readonly JudgedTransfer[],
  networks: OpenNetworks,
): Promise<boolean> {
  const waiting = judged.filter(({ verdict }) => verdict.outcome === 'WAIT');
  if (waiting.length === 0) return true;
  if (!(await keepNames(tx))) return false;
  await shareRoutes(tx, [...new Set(waiting.flatMap(routesOf))]);
  for (const transfer of waiting) if (!(await hasSameCounterparty(tx, transfer, networks))) return false;
  return true;
}

/** What determines the counterparty: the destination and the VASP that an outgoing message names, and the entity. */
function routesOf({ open: { record }, basis: { counterparty } }: JudgedTransfer): string[] {
  const name = record.direction === 'OUTGOING' ? record.personal.vaspInfo.beneficiaryVaspName : null;
  return [
    ...(record.direction === 'OUTGOING' ? [destinationRoute(record.destinationNormal)] : []),
    ...(counterparty ? [entityRoute(counterparty.entityId)] : []),
    ...(name ? [vaspRoute(foldName(name))] : []),
  ];
}

async function hasSameCounterparty(
  tx: Queryable,
  { open: { record }, basis }: JudgedTransfer,
  networks: OpenNetworks,
): Promise<boolean> {
  const { tenantId, direction } = basis;
  const { entityId: counterpartyEntityId } = await counterpartyOf(tx, record, networks);
  const { counterparty, counterpartyDuplicateIds } = await readBasis(tx, {
    tenantId,
    direction,
    counterpartyEntityId,
  });
  return (
    isDeepStrictEqual(counterparty, basis.counterparty) &&
    isDeepStrictEqual(counterpartyDuplicateIds, basis.counterpartyDuplicateIds)
  );
}
