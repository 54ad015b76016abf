import type { ScannedBlock, ChainTransfer } from '../../domain/chain-scan/block.ts';
import type { SatoshiWatch } from '../../domain/verifications/satoshi/judge-transfers.ts';
import type { Queryable } from '../postgres.ts';

/**
 * The transfers whose recipient a satoshi test watches: one index look-up per recipient, however many tests watch it.
 * Recipients that only share the hash are removed by comparing the whole address.
 */
export async function findWatched(
  db: Queryable,
  chain: string,
  block: ScannedBlock,
): Promise<ChainTransfer[]> {
  if (block.recipientHashes.length === 0) return [];
  // In index order, so that its pages are read one after the other.
  const places = [...new Int32Array(new Set(block.recipientHashes)).sort()];
  const { rows } = await db.query<{ place: number }>({
    ...(places.length > MANY_RECIPIENTS ? FIND_TOGETHER : FIND_ONE_BY_ONE),
    // As text: serialising an array in the driver takes longer than the query.
    values: [chain, `{${places.join(',')}}`],
  });
  if (rows.length === 0) return [];
  const watched = new Set(rows.map(({ place }) => place));
  const found = block.recipientHashes.flatMap((place, index) =>
    watched.has(place) ? [block.transferAt(index)] : [],
  );
  return await withWatchedRecipient(db, chain, found);
}

/** From this number of recipient hashes on, reading all their watches at once is quicker, even if one has many. */
const MANY_RECIPIENTS = 1_000;
const FIND_TOGETHER = {
  name: 'find-watched-in-one-go',
  text: `select distinct w.place from satoshi_watches w
    where w.chain = $1 and w.place = any($2::int[]) and w.state = 'OPEN'`,
};
const FIND_ONE_BY_ONE = {
  name: 'find-watched-one-by-one',
  text: `select t.place from unnest($2::int[]) t(place)
    where exists (select 1 from satoshi_watches w where w.chain = $1 and w.place = t.place and w.state = 'OPEN')`,
};

async function withWatchedRecipient(
  db: Queryable,
  chain: string,
  transfers: ChainTransfer[],
): Promise<ChainTransfer[]> {
  const { rows } = await db.query<{ recipient: string }>(
    `select distinct t.recipient from unnest($2::text[]) t(recipient)
     where exists (select 1 from satoshi_watches w
       where w.chain = $1 and w.recipient = t.recipient and w.state = 'OPEN')`,
    [chain, transfers.map(({ recipient }) => recipient)],
  );
  const watched = new Set(rows.map(({ recipient }) => recipient));
  return transfers.filter(({ recipient }) => watched.has(recipient));
}

/** A transfer and one of its possible senders; null while the sender is not known. */
export interface WatchQuery {
  transfer: ChainTransfer;
  sender: string | null;
}

/**
 * Limits per transfer and tenant: watches that it matches exactly (as many as could be claimed) and watches that it
 * nearly matches. No tenant can crowd out another.
 */
const EXACT = 20;
const NEAR = 5;
const WATCH =
  'w.verification_id, w.tenant_id, w.asset, w.sender, w.recipient, w.units, w.armed_from, w.deadline, w.looks_back, w.from_height';
const OF_RECIPIENT = `w.chain = $1 and w.recipient = t.recipient and w.state = 'OPEN'`;
const SAME_AMOUNT = `${OF_RECIPIENT} and w.asset = t.asset and w.units = t.units`;
const SAME_SENDER = `${OF_RECIPIENT} and w.sender = t.sender`;

/**
 * SQL: the tenants that have such watches, one index look-up each. A service may pay into one address for thousands of tenants: those
 * that expect other transfers there cost nothing.
 */
const tenantsWith = (watches: string) => `
  with recursive holder as (
    (select w.tenant_id from satoshi_watches w where ${watches} order by w.tenant_id limit 1)
    union all
    select (select w.tenant_id from satoshi_watches w where ${watches} and w.tenant_id > holder.tenant_id
      order by w.tenant_id limit 1)
    from holder where holder.tenant_id is not null
  )
  select tenant_id from holder where tenant_id is not null`;

const FIND = `
  select t.n::int as n, found.*
  from unnest($2::text[], $3::text[], $4::text[], $5::numeric[]) with ordinality
    t(recipient, asset, sender, units, n)
  cross join lateral (
    select of_tenant.* from (${tenantsWith(SAME_AMOUNT)}) h cross join lateral (
      (select ${WATCH} from satoshi_watches w where ${SAME_AMOUNT} and w.tenant_id = h.tenant_id
         and w.sender = t.sender order by w.armed_from limit ${EXACT})
      union all
      (select ${WATCH} from satoshi_watches w where ${SAME_AMOUNT} and w.tenant_id = h.tenant_id
         and w.sender is distinct from t.sender limit ${NEAR})
    ) of_tenant
    union all
    select of_tenant.* from (${tenantsWith(SAME_SENDER)}) h cross join lateral (
      select ${WATCH} from satoshi_watches w where ${SAME_SENDER} and w.tenant_id = h.tenant_id
        and (w.asset, w.units) is distinct from (t.asset, t.units) limit ${NEAR}
    ) of_tenant
  ) found`;

interface WatchRow {
  n: number;
  verification_id: string;
  tenant_id: string;
  asset: string;
  sender: string;
  recipient: string;
  units: string;
  armed_from: Date;
  deadline: Date;
  looks_back: boolean;
  /** A bigint, which the driver may give as text. */
  from_height: number | string | null;
}

/** The watches that each transfer matches, exactly or nearly. */
export async function findWatches(
  db: Queryable,
  chain: string,
  queries: readonly WatchQuery[],
): Promise<Map<ChainTransfer, SatoshiWatch[]>> {
  const found = new Map<ChainTransfer, SatoshiWatch[]>();
  if (queries.length === 0) return found;
  const { rows } = await db.query<WatchRow>({
    name: 'find-watches',
    text: FIND,
    values: [
      chain,
      queries.map(({ transfer }) => transfer.recipient),
      queries.map(({ transfer }) => transfer.asset),
      queries.map(({ sender }) => sender),
      queries.map(({ transfer }) => transfer.units.toString()),
    ],
  });
  for (const row of rows) {
    const query = queries[row.n - 1];
    if (!query) continue;
    const watches = found.get(query.transfer) ?? [];
    const watch = toWatch(row);
    if (!watches.some(({ verificationId }) => verificationId === watch.verificationId)) watches.push(watch);
    found.set(query.transfer, watches);
  }
  return found;
}

/** Not below any block while the height at the creation is unknown. */
function aboveHeightOf({ looks_back, from_height }: WatchRow): number {
  if (looks_back) return -1;
  return from_height === null ? Number.POSITIVE_INFINITY : Number(from_height);
}

function toWatch(row: WatchRow): SatoshiWatch {
  return {
    verificationId: row.verification_id,
    tenantId: row.tenant_id,
    asset: row.asset,
    sender: row.sender,
    recipient: row.recipient,
    units: BigInt(row.units),
    armedFrom: row.armed_from,
    deadline: row.deadline,
    aboveHeight: aboveHeightOf(row),
  };
}
