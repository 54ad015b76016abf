import type { Database } from '../../../db/database.ts';
import { readDecisions } from '../../../db/evidence/read-decisions.ts';
import { readLog, type LogRange } from '../../../db/evidence/read-log.ts';
import { readScreenings } from '../../../db/evidence/read-screenings.ts';
import { viewReview } from '../../../db/transactions/get-screening.ts';
import { showTransaction } from '../../../db/transactions/show-transaction.ts';
import type { OpenTransaction } from '../../../db/transactions/row.ts';
import { listFiles } from '../../../db/verifications/stored-files.ts';
import { viewClaim } from '../../../domain/claims/view-claim.ts';
import { toEventLine } from '../../../domain/evidence/lines.ts';
import type { TransactionRecord } from '../../../domain/transactions/record.ts';
import { viewVerification } from '../../../domain/verifications/view-verification.ts';
import { viewWallet } from '../../../domain/wallets/schema.ts';
import type { DossierEdition } from './edition.ts';

/** Whoever has the address of the hosted page may give the proof. */
const NO_PAGE = { token: null, url: null };

/** For an authority: everything that is known of the customer's records. */
export const AUTHORITY_EDITION: DossierEdition = {
  notice: 'All records of this customer, for an authority. Not to be shown to the customer.',
  async transaction(db, { open, parties, claims }, { tenant }) {
    const { record } = open;
    return {
      transaction: await showTransaction(db, db.pool, record, tenant.entityId),
      customerAs: parties.map(({ role }) => role),
      ...stopsOf(record),
      reviews: (record.personal.reviews ?? []).map(viewReview),
      screenings: await listed(readScreenings(db.pool, open)),
      decisions: await decisionsOf(db, open),
      events: await eventsOf(db, record),
      claims: await inOrder(claims, async (claim) => ({
        claim: viewClaim(claim),
        events: await eventsOf(db, claim),
      })),
    };
  },
  verification: async (db, open) => ({
    verification: viewVerification(open.record, NO_PAGE),
    files: await listFiles(db.pool, open),
    events: await eventsOf(db, open.record),
  }),
  wallet: viewWallet,
};

/** What has stopped or stops a transaction, beside its clearance. */
function stopsOf({ hold, blockedBy, blockedHold, legalHoldAt, personal }: TransactionRecord) {
  const legalHold = legalHoldAt && {
    since: legalHoldAt.toISOString(),
    reason: personal.legalHoldReason ?? null,
  };
  return { hold, blockedBy, blockedHold, legalHold };
}

async function decisionsOf(db: Database, open: OpenTransaction): Promise<unknown[]> {
  return await listed(readDecisions(db, open));
}

async function eventsOf({ pool }: Database, log: LogRange): Promise<unknown[]> {
  const events = await listed(readLog(pool, log));
  return events.map(toEventLine);
}

async function listed<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}

async function inOrder<T, R>(values: readonly T[], convert: (value: T) => Promise<R>): Promise<R[]> {
  const converted: R[] = [];
  for (const value of values) converted.push(await convert(value));
  return converted;
}
