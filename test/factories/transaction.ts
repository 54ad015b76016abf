import type { OpenTransaction } from '../../db/transactions/row.ts';
import { eventually } from '../eventually.ts';
import { randomBytes } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import {
  deliverNative,
  type DeliveredMessage,
  type NativeDelivery,
} from '../../db/lifecycle/deliver-native.ts';
import { markUnroutedOrFind } from '../../db/lifecycle/mark-unrouted.ts';
import type { RoutedCounterparty } from '../../domain/transactions/lifecycle/route.ts';
import { readBasis } from '../../db/lifecycle/judgement-basis.ts';
import { counterpartyOf } from '../../db/lifecycle/resolve-counterparty.ts';
import { settleScreening } from '../../db/lifecycle/settle-screening.ts';
import { newId } from '../../db/new-id.ts';
import { wake } from '../../db/transactions/wake.ts';
import { findTransactionOfWorkflow } from '../../db/transactions/find-transaction.ts';
import {
  combineFindings,
  isForRules,
  type RuledFinding,
} from '../../domain/transactions/deciding/combine-findings.ts';
import { otherWallet, type TransactionScreening } from '../../domain/transactions/deciding/screening.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import { needsScreening } from '../../domain/transactions/screening-due.ts';
import type { Json, TestApi } from '../api-client.ts';
import type { Client, TestTenant } from './tenant.ts';

/** A well-formed Ethereum address in lower case that nobody else uses. */
export const evmAddress = () => `0x${randomBytes(20).toString('hex')}`;
/** A transaction hash of 32 bytes, with 0x. */
export const evmHash = () => `0x${randomBytes(32).toString('hex')}`;

interface BodyOverrides extends Json {
  /** Added to the fields of the default, which are not replaced as a whole. */
  blockchainInfo?: Json;
}

/** The smallest valid create body, with a destination of its own. */
export function createBody({ blockchainInfo = {}, ...overrides }: BodyOverrides = {}) {
  return {
    asset: 'ETH',
    amount: '1.5',
    blockchainInfo: { destination: evmAddress(), destinationType: 'CUSTODIAL', ...blockchainInfo },
    ...overrides,
  };
}

/** A party with every field there is. `name` keeps two of them apart. */
export function fullParty(name: string) {
  return {
    type: 'NATURAL',
    name,
    firstName: `First ${name}`,
    lastName: `Last ${name}`,
    accountNumber: `ACC-${name}`,
    address: `1 ${name} Street, Zürich`,
    addressDetails: {
      street: `${name} Street`,
      buildingNumber: '1a',
      postCode: '8001',
      town: 'Zürich',
      countrySubDivision: 'ZH',
    },
    country: 'CH',
    nationalIdentificatorType: 'CCPT',
    nationalIdentificator: 'X1234567',
    identifierCountry: 'CH',
    registrationAuthority: 'RA000001',
    lei: '529900T8BM49AURSDO55',
    customerIdentification: `C-${name}`,
    dateOfBirth: '1980-02-29',
    placeOfBirth: 'Genève',
  };
}

/** A create body with every field that an OUTGOING message takes. */
export function fullBody() {
  return {
    direction: 'OUTGOING',
    asset: 'USDC',
    amount: '123456789012345678901234567890.123456789012345678901234567891',
    reference: `ref-${randomBytes(8).toString('hex')}`,
    metadata: 'order 17',
    internalNote: 'checked by hand',
    blockchainInfo: {
      blockchain: 'Ethereum',
      transactionHash: evmHash(),
      origin: evmAddress(),
      originTag: 'o-1',
      originType: 'NON_CUSTODIAL',
      destination: evmAddress(),
      destinationTag: 'd-1',
      destinationType: 'CUSTODIAL',
    },
    vaspInfo: {
      beneficiaryVaspName: 'Far Away Exchange',
      beneficiaryVaspEmail: 'travel-rule@far.example',
      beneficiaryVaspExtraInfo: 'branch 7',
    },
    originator: fullParty('Anna Keller'),
    beneficiary: fullParty('Jonas Brandt'),
    additionalOriginators: ['Ada', 'Bea', 'Cia', 'Dea', 'Eva'].map(fullParty),
  };
}

/** Posts a create body made of the default and these overrides. */
export async function createTransaction(tenant: Client, overrides: BodyOverrides = {}): Promise<Transaction> {
  const answer = await tenant.post<Transaction>('/transactions', createBody(overrides));
  if (answer.status !== 201) throw new Error(`not created: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

export interface MessagePair {
  /** The originator VASP's record, as created. */
  outgoingId: string;
  incomingId: string;
  destination: string;
}

interface MessagePairOptions {
  /** Whether the receiver has registered the destination; true unless given. Otherwise its record is sealed. */
  registered?: boolean;
  body?: BodyOverrides;
}

/** A message that has reached another tenant, delivered without any workflow. */
export async function createMessagePair(
  api: TestApi,
  from: TestTenant,
  to: TestTenant,
  { registered = true, body = {} }: MessagePairOptions = {},
): Promise<MessagePair> {
  const destination = evmAddress();
  if (registered) await registerWallet(to, destination);
  const blockchainInfo = { destination, ...body.blockchainInfo };
  const parties = { originator: { name: 'Anna Keller' }, beneficiary: { name: 'Jonas Brandt' } };
  const sent = await createTransaction(from, { ...parties, ...body, blockchainInfo });
  const incomingId = await deliver(api, from, to, sent.id);
  return { outgoingId: sent.id, incomingId, destination };
}

/**
 * Carries an outgoing message to its receiver, unless a worker was faster; gives the id of the receiver's record. Where
 * workers run, one may be screening the message at this moment, and then there is nothing to deliver yet.
 */
export async function deliver(api: TestApi, from: TestTenant, to: TestTenant, id: string): Promise<string> {
  const delivery = { tenantId: from.id, id, receiverTenantId: to.id };
  const arrived = await eventually(
    async () => (await deliverOrNull(api.db, delivery)) ?? (await arrivedAs(api.db, id)),
    (incomingId) => incomingId !== null,
  );
  return arrived ?? '';
}

async function deliverOrNull(db: Database, delivery: Omit<NativeDelivery, 'now'>): Promise<string | null> {
  const open = await findTransactionOfWorkflow(db, delivery.id);
  if (open && needsScreening(open.record)) await settleFindings(db, open, {});
  // Not before the time of the screening: the log would run backwards.
  const delivered = await deliverUnscreened(db, { ...delivery, now: new Date() });
  if (!delivered) return null;
  const { incoming } = delivered;
  // What the receiver has declined before is not screened.
  if (needsScreening(incoming)) await letPass(db, incoming.id);
  return incoming.id;
}

async function arrivedAs({ pool }: Database, id: string): Promise<string | null> {
  const { rows } = await pool.query<{ incoming_id: string }>(
    'select incoming_id from message_pairs where outgoing_id = $1',
    [id],
  );
  return rows[0]?.incoming_id ?? null;
}

/** Delivers a message to a receiver whose lists do not answer: its record is screened later. */
export async function deliverUnscreened(
  db: Database,
  delivery: NativeDelivery,
): Promise<DeliveredMessage | null> {
  return ofDelivery(await deliverNative(db, delivery, async () => await Promise.resolve(null)));
}

/** The delivery of a message that was screened before: its screening cannot be out of date. */
export function ofDelivery<T>(delivered: T | 'SCREEN_AGAIN'): T {
  if (delivered === 'SCREEN_AGAIN') throw new Error('the screening of the sender does not count any more');
  return delivered;
}

/** Marks a message as unrouted, while no directory is imported; returns its counterparty if that has just appeared. */
export async function markUnrouted(
  db: Database,
  record: TransactionRecord,
): Promise<RoutedCounterparty | null> {
  const marked = await markUnroutedOrFind(db, record, new Date());
  if (marked === 'NAMES_CHANGE') throw new Error('a directory is being imported');
  return marked.counterparty;
}

/** Puts an Ethereum address into a tenant's registry, for all assets. */
export async function registerWallet(tenant: Client, address: string): Promise<void> {
  const answer = await tenant.post('/wallets', { address, asset: '*', blockchain: 'Ethereum' });
  if (answer.status !== 201) throw new Error(`not registered: ${JSON.stringify(answer.body)}`);
}

/** Reads a transaction that must be there. */
export async function readTransaction(tenant: Client, id: string): Promise<Transaction> {
  const answer = await tenant.get<Transaction>(`/transactions/${id}`);
  if (answer.status !== 200) throw new Error(`not read: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** How many rows there are of everything that a transaction writes. */
export async function rowCounts({ db }: Pick<TestApi, 'db'>): Promise<Json | undefined> {
  const tables = [
    'transactions',
    'events',
    'outbox',
    'message_pairs',
    'payload_versions',
    'webhook_deliveries',
  ];
  const counts = [...tables, 'idempotency_keys', 'wallets'].map(
    (table) => `(select count(*) from ${table}) as ${table}`,
  );
  const { rows } = await db.pool.query<Json>(`select ${counts.join(', ')}`);
  return rows[0];
}

/**
 * Screens a record as the product does, with findings that speak against nothing and without published rules: a message
 * may be sent, a received one is left to its tenant. Throws when the record is not there or was decided on before.
 */
export async function letPass(db: Database, id: string): Promise<void> {
  await screen(db, id, {});
}

interface Findings {
  /** Whether a party is on a sanctions list. */
  isListed?: boolean;
  /** What the published rules decide; without it, what they decide where there are none. */
  rules?: { decision: 'PROCEED' | 'WAIT' | 'REVIEW' | 'BLOCK'; waitUntil?: Date };
}

/** Screens a record as the product does, with these findings. Throws when nothing is due. */
export async function screen(db: Database, id: string, findings: Findings): Promise<void> {
  const open = await findTransactionOfWorkflow(db, id);
  if (!open || !needsScreening(open.record)) throw new Error('there was nothing to screen');
  await settleFindings(db, open, findings);
}

async function settleFindings(
  db: Database,
  open: OpenTransaction,
  { isListed = false, rules }: Findings,
): Promise<void> {
  const now = new Date();
  const clear = clearScreening(open.record, now);
  const screening = { ...clear, sanctions: { ...clear.sanctions, nameMatch: isListed } };
  const ruled = rules ? byRule(rules) : BY_DEFAULT[open.record.direction];
  const verdict = combineFindings(open.record, screening, isForRules(open.record) ? ruled : null);
  const { entityId: counterpartyEntityId } = await counterpartyOf(db.pool, open.record, db);
  const basis = await readBasis(db.pool, { ...open.record, counterpartyEntityId });
  const none = { decision: null, guardCount: null, matches: [], stands: false };
  const judgement = { open, screening, verdict, basis, ...none, now };
  const settled = await settleScreening(db, judgement);
  if (settled === 'STALE') throw new Error('lists, rules or settings have just changed');
}

/** A screening that found nothing. */
export function clearScreening(record: TransactionRecord, now: Date): TransactionScreening {
  return {
    id: newId(now),
    recordVersion: record.version,
    screenedAt: now.toISOString(),
    sanctions: { nameMatch: false, addressMatch: false, subjects: [] },
    otherWallet: otherWallet(record),
    aml: null,
    wallet: null,
    notAsked: null,
    counterparty: null,
  };
}

/** Has an open or confirmed record compared with the sanctions lists again, which now have one of its parties. */
export async function findOnList(db: Database, id: string): Promise<void> {
  await wake(
    db.pool,
    { where: 't.id = $2', values: [id] },
    { screenAgain: 'AGAINST_LISTS', now: new Date() },
  );
  await screen(db, id, { isListed: true });
}

/** What the rules of a tenant that has published none decide. */
const BY_DEFAULT = { OUTGOING: byDefault('PROCEED'), INCOMING: byDefault('REVIEW') };

function byDefault(decision: 'PROCEED' | 'REVIEW'): RuledFinding {
  const nothing = { waitMinutes: null, reason: null, restsOnSanctions: false, rules: [] };
  return {
    evaluation: { decision, decidedBy: 'default', ...nothing },
    version: 0,
    waitUntil: null,
    guarded: false,
  };
}

function byRule({
  decision,
  waitUntil = null,
}: {
  decision: RuledFinding['evaluation']['decision'];
  waitUntil?: Date | null;
}): RuledFinding {
  const evaluation = { decision, decidedBy: newId(new Date()), waitMinutes: null, reason: null };
  return {
    evaluation: { ...evaluation, restsOnSanctions: false, rules: [] },
    version: 1,
    waitUntil,
    guarded: false,
  };
}
