import {
  ANSWER_KEPT_HOURS,
  FAULT_KEPT_MINUTES,
  MAX_ASKED,
  type AskedAddress,
} from '../../domain/address-questions/question.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import { namedVasp, resolveRoute } from './resolve-counterparty.ts';
import { openWebhookSecret } from '../webhooks/webhook-secret.ts';
import { findDestinationWallet, findHolders } from '../wallets/match-wallet.ts';

/** A tenant that is asked whether an address is its own. */
export interface AskedTenant {
  id: string;
  url: string;
  secret: string;
  /** True if the address is registered: the question is asked for its time alone, and the answer changes nothing. */
  isRegistered: boolean;
}

interface AskedRow {
  id: string;
  url: string;
  answers_route: boolean;
  webhook_secret: Buffer;
  isRegistered?: boolean;
}

/**
 * Returns the tenants to ask about the destination of a message before it is routed. A message that names a tenant, or whose
 * label leads to one, asks that tenant, also about a destination that it has registered. A message without a named VASP or travel
 * address, to an unregistered destination, asks the tenants whose answers route. Tenants with a stored answer are left out.
 */
export async function findAsked(db: Database, record: TransactionRecord, now: Date): Promise<AskedTenant[]> {
  const candidates = await withQuestion(db.pool, 'OTHERS', {
    tenantId: record.tenantId,
    address: record,
    now,
  });
  if (candidates.length === 0) return [];
  return await opened(db, await amongCandidates(db, record, candidates));
}

/**
 * The receiver of a message, if it is asked about addresses. It is asked about a registered one too: otherwise whoever sends to it
 * could tell by the time of the answer which addresses are registered.
 */
export async function findAskedReceiver(
  db: Database,
  tenantId: string,
  address: AskedAddress,
  now: Date,
): Promise<AskedTenant[]> {
  const [receiver] = await withQuestion(db.pool, 'ITSELF', { tenantId, address, now });
  return receiver ? await opened(db, [await withRegistered(db.pool, receiver, address)]) : [];
}

async function opened(db: Database, asked: readonly AskedRow[]): Promise<AskedTenant[]> {
  return await Promise.all(
    asked.map(async (row) => {
      const { id, url, isRegistered = false } = row;
      return { id, url, isRegistered, secret: await openWebhookSecret(db, row) };
    }),
  );
}

interface QuestionSearch {
  tenantId: string;
  address: AskedAddress;
  now: Date;
}

const WHOSE = { ITSELF: 't.id = $1', OTHERS: 't.id <> $1' };

/** The tenant itself or all others that are asked about addresses. The first statement: most deployments have no such tenant. */
async function withQuestion(
  db: Queryable,
  whose: keyof typeof WHOSE,
  { tenantId, address, now }: QuestionSearch,
): Promise<AskedRow[]> {
  const { destinationNormal, blockchainKey, destinationTag } = address;
  const { rows } = await db.query<AskedRow>({
    name: `tenants-with-question-${whose}`,
    text: `select t.id, t.settings ->> 'addressQuestionUrl' as url, t.answers_route, t.webhook_secret
      from tenants t
      where t.settings ? 'addressQuestionUrl'::text and ${WHOSE[whose]} and t.suspended_at is null
        and not exists (select 1 from address_answers a
          where a.tenant_id = t.id and a.address_normal = $2 and a.blockchain_key = $3 and a.tag = $4
            and a.answered_at > $5::timestamptz - case when a.fault is null then interval '${ANSWER_KEPT_HOURS} hours'
              else interval '${FAULT_KEPT_MINUTES} minutes' end)
      order by t.id`,
    values: [tenantId, destinationNormal, blockchainKey, destinationTag ?? '', now],
  });
  return rows;
}

async function withRegistered(db: Queryable, row: AskedRow, address: AskedAddress): Promise<AskedRow> {
  return { ...row, isRegistered: (await findDestinationWallet(db, row.id, address)) !== null };
}

async function amongCandidates(
  db: Database,
  record: TransactionRecord,
  candidates: readonly AskedRow[],
): Promise<readonly AskedRow[]> {
  const { beneficiaryVaspName: name, beneficiaryTravelAddress: travelAddress = null } =
    record.personal.vaspInfo;
  const named = await namedVasp(db.pool, name);
  if (named || travelAddress !== null) {
    const tenant = candidates.find(({ id }) => id === named?.tenantId);
    return tenant ? [await withRegistered(db.pool, tenant, record)] : [];
  }
  const led = await ledByLabel(db, record, candidates);
  const routing = name === null ? candidates.filter(({ answers_route: routes }) => routes) : [];
  const asked = [...new Set([...led, ...routing])].slice(0, MAX_ASKED);
  return asked.length > 0 && (await findHolders(db.pool, record.tenantId, record)).length === 0 ? asked : [];
}

/** The tenant to which labels lead a message that names no known VASP. */
async function ledByLabel(
  db: Database,
  record: TransactionRecord,
  candidates: readonly AskedRow[],
): Promise<AskedRow[]> {
  const { counterparty } = await resolveRoute(db.pool, record, db);
  if (counterparty?.network !== 'NATIVE') return [];
  return candidates.filter(({ id }) => id === counterparty.tenantId);
}
