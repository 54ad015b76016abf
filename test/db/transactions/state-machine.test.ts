import fc from 'fast-check';
import { deliverNative, type JudgeArrival } from '../../../db/lifecycle/deliver-native.ts';
import { readForRelease, releaseRecords } from '../../../db/lifecycle/release-records.ts';
import { readBasis } from '../../../db/lifecycle/judgement-basis.ts';
import { inTransaction } from '../../../db/postgres.ts';
import { changeAndRelate } from '../../../db/lifecycle/relate-transfer.ts';
import { changeTransaction, type TransactionCommand } from '../../../db/transactions/change-transaction.ts';
import { READ_COLUMNS } from '../../../db/transactions/row.ts';
import { openRow } from '../../../db/transactions/find-transaction.ts';
import { wakeForRescreening } from '../../../db/transactions/wake-for-rescreening.ts';
import { registerWallet } from '../../../db/wallets/register-wallet.ts';
import type { WalletRelease } from '../../../db/wallets/open-release.ts';
import type { RecordRow } from '../../../db/records/record-table.ts';
import { DomainError } from '../../../domain/errors.ts';
import type { TransactionRecord } from '../../../domain/transactions/record.ts';
import { hashFields } from '../../../domain/normalised-places.ts';
import { PatchTransactionBody } from '../../../domain/transactions/schema.ts';
import { newWallet } from '../../../domain/wallets/schema.ts';
import { releasedRecord } from '../../../domain/transactions/lifecycle/release.ts';
import { needsScreening } from '../../../domain/transactions/screening-due.ts';
import { subStatusOf } from '../../../domain/transactions/sub-status.ts';
import {
  commands,
  HASH,
  SENDER,
  SIDES,
  type Command,
  type Side,
} from '../../domain/transactions/model/commands.ts';
import { decide, run, type Pair } from '../../domain/transactions/model/pair.ts';
import { verdictOf, type Outcome } from '../../domain/transactions/model/verdicts.ts';
import { createTenant, WEBHOOK_URL, type TestTenant } from '../../factories/tenant.ts';
import { clearScreening, createTransaction, evmAddress, ofDelivery } from '../../factories/transaction.ts';
import { storedWebhooks } from '../../stored-webhooks.ts';
import { useApi } from '../../use-api.ts';

const SEED = 20_261_122;
const RUNS = 25;
const COMMANDS = 40;

const { api } = useApi();
let tenants: Record<Side, TestTenant>;

beforeAll(async () => {
  const webhooks = { webhookUrl: WEBHOOK_URL };
  const [sender, receiver] = [
    await createTenant(api, { ...webhooks, name: SENDER }),
    await createTenant(api, webhooks),
  ];
  tenants = { outgoing: sender, incoming: receiver, own: receiver };
});

/** The two records in the database. */
interface StoredPair {
  ids: Record<Side, string | null>;
  destination: string;
}

async function read(side: Side, id: string | null): Promise<TransactionRecord | null> {
  const { rows } = await api.db.pool.query<RecordRow & { sub_status: string | null }>(
    `select ${READ_COLUMNS}, sub_status from transactions where tenant_id = $1 and id = $2`,
    [tenants[side].id, id],
  );
  const row = rows[0];
  if (!row) return null;
  const { record } = await openRow(api.db, row);
  expect(row.sub_status).toBe(subStatusOf(record));
  return record;
}

/** Does in the database, through the door, what the model does in memory. */
async function runStored(pair: StoredPair, next: Command, now: Date): Promise<StoredPair> {
  if (next.kind === 'DELIVER') return await deliverStored(pair, next.outcome, now);
  if (next.kind === 'CONFIRM_WALLET') {
    for (const release of await own(pair.destination, now)) await releaseStored(release, next.outcome, now);
    return pair;
  }
  const id = pair.ids[next.side];
  if (id === null) return pair;
  if (next.kind === 'RESCREEN') {
    await wakeForRescreening(api.db.pool, [id], now);
    return pair;
  }
  try {
    const command: TransactionCommand = {
      tenantId: tenants[next.side].id,
      id,
      now,
      decide: (record, counterpart) => decide(record, counterpart, next, now),
    };
    const hash = next.kind === 'PATCH' ? relatingHash(next.body) : null;
    await (hash ? changeAndRelate(api.db, command, hash.hashNormal) : changeTransaction(api.db, command));
  } catch (error) {
    // A deleted record is not found.
    if (!(error instanceof DomainError) || error.code !== 'not_found') throw error;
  }
  return pair;
}

/** The hash of a patch as the endpoint reads it; null for a patch that relates no records. */
function relatingHash(body: Record<string, unknown>): { hashNormal: string | null | undefined } | null {
  const { transactionHash, ...patch } = PatchTransactionBody.parse(body);
  if (transactionHash !== undefined) return { hashNormal: hashFields(transactionHash).hashNormal };
  const { blockchainInfo, vaspInfo } = patch;
  const relates = blockchainInfo?.blockchain !== undefined || vaspInfo?.originatorVaspName !== undefined;
  return relates ? { hashNormal: undefined } : null;
}

async function deliverStored(pair: StoredPair, outcome: Outcome | null, now: Date): Promise<StoredPair> {
  const { id: tenantId } = tenants.outgoing;
  const record = await read('outgoing', pair.ids.outgoing);
  if (record?.destinationType !== 'CUSTODIAL') return pair;
  const delivery = { tenantId, id: record.id, receiverTenantId: tenants.incoming.id, now };
  const delivered = ofDelivery(await deliverNative(api.db, delivery, judgeAs(outcome, now)));
  if (!delivered) return pair;
  const { incoming } = pair.ids;
  const isCompleted = delivered.incoming.id === incoming;
  return {
    ...pair,
    ids: { ...pair.ids, incoming: delivered.incoming.id, own: isCompleted ? null : incoming },
  };
}

function judgeAs(outcome: Outcome | null, now: Date): JudgeArrival {
  return async (open) => {
    if (outcome === null) return null;
    const { record } = open;
    return {
      open,
      screening: clearScreening(record, now),
      verdict: verdictOf(outcome, record, now),
      decision: null,
      guardCount: null,
      stands: false,
      matches: [],
      basis: await readBasis(api.db.pool, record),
      now,
    };
  };
}

/** The receiver registers the destination on every chain that the commands name; what that releases is to be done. */
async function own(address: string, now: Date): Promise<WalletRelease[]> {
  return await inTransaction(api.db.pool, async (tx) => {
    const begun: WalletRelease[] = [];
    for (const blockchain of ['Ethereum', 'Polygon']) {
      const wallet = newWallet({ address, asset: '*', blockchain });
      const { release } = await registerWallet(api.db, tx, { tenantId: tenants.incoming.id, wallet, now });
      if (release) begun.push(release);
    }
    return begun;
  });
}

async function releaseStored(release: WalletRelease, outcome: Outcome | null, now: Date): Promise<void> {
  const judge = judgeAs(outcome, now);
  const waiting = await readForRelease(api.db, release, { limit: 10 });
  const judged = await Promise.all(
    waiting.map(async (open) => {
      const visible = releasedRecord(open.record, now);
      const isDue = open.record.sealed && needsScreening(visible);
      const record = { ...visible, version: open.record.version + 1 };
      return { open, settlement: isDue ? await judge({ ...open, record }) : null };
    }),
  );
  expect(await releaseRecords(api.db, release, judged, now)).not.toBe('STALE');
}

const FACTS = [
  'status',
  'statusReasonCode',
  'hold',
  'blockedBy',
  'blockedHold',
  'sealed',
  'screeningState',
  'ruleWaitUntil',
  'isScreeningDelayed',
  'announceAt',
  'releaseId',
  'awaitsProof',
  'routingFault',
  'expiredAt',
  'deadlineAt',
  'wakeAt',
  'hashNormal',
  'blockchainKey',
  'isDestinationConfirmed',
  'deletedAt',
] as const satisfies (keyof TransactionRecord)[];

function factsOf(record: TransactionRecord | null): unknown {
  if (!record) return null;
  const { originator, beneficiary, statusReasoning, received } = record.personal;
  const facts = Object.fromEntries(FACTS.map((name) => [name, record[name]]));
  const [isRelated, isPaired] = [record.relatedTransactionId !== null, record.pairId !== null];
  const { filled = null, takenBackAt = null } = received ?? {};
  return { ...facts, originator, beneficiary, statusReasoning, isRelated, isPaired, filled, takenBackAt };
}

interface Beginning {
  isHashed: boolean;
  recorded: 'NOT' | 'WITHOUT_SENDER' | 'WITH_SENDER';
  isSelfHosted: boolean;
  isOwned: boolean;
}

async function begin({ isHashed, recorded, isSelfHosted, isOwned }: Beginning): Promise<[StoredPair, Pair]> {
  const destination = evmAddress();
  const destinationType = isSelfHosted ? 'NON_CUSTODIAL' : 'CUSTODIAL';
  const blockchainInfo = { destination, blockchain: 'Ethereum', ...(isHashed && { transactionHash: HASH }) };
  if (isOwned) await own(destination, new Date());
  const sent = await createTransaction(tenants.outgoing, {
    blockchainInfo: { ...blockchainInfo, destinationType },
  });
  const vaspInfo = recorded === 'WITH_SENDER' ? { vaspInfo: { originatorVaspName: SENDER } } : {};
  const made =
    recorded === 'NOT'
      ? null
      : await createTransaction(tenants.incoming, { direction: 'INCOMING', blockchainInfo, ...vaspInfo });
  const ids = { outgoing: sent.id, incoming: made?.id ?? null, own: null };
  const outgoing = await read('outgoing', ids.outgoing);
  if (!outgoing) throw new Error('it was not stored');
  const incoming = await read('incoming', ids.incoming);
  const told = { outgoing: null, incoming: null, own: null };
  const pair = {
    outgoing,
    incoming,
    own: null,
    isPaired: false,
    told,
    webhooks: [],
    log: [],
    now: new Date(),
  };
  return [{ ids, destination }, pair];
}

async function expectAgreement(stored: StoredPair, model: Pair): Promise<void> {
  for (const side of SIDES) {
    expect([side, factsOf(await read(side, stored.ids[side]))]).toEqual([side, factsOf(model[side])]);
  }
}

async function expectTold(stored: StoredPair, model: Pair): Promise<void> {
  for (const side of SIDES) {
    const id = stored.ids[side];
    if (id === null || model[side]?.deletedAt) continue;
    const last = (await storedWebhooks(api, tenants[side], id)).at(-1);
    expect([side, last?.clearance.outcome ?? null]).toEqual([side, model.told[side]]);
  }
}

const beginnings = fc.record({
  isHashed: fc.boolean(),
  recorded: fc.constantFrom('NOT' as const, 'WITHOUT_SENDER' as const, 'WITH_SENDER' as const),
  isSelfHosted: fc.boolean(),
  isOwned: fc.boolean(),
});

test(`the database goes the way of the model, command by command (seed ${SEED})`, async () => {
  let count = 0;
  const ends = new Set<string>();
  await fc.assert(
    fc.asyncProperty(beginnings, commands({ min: COMMANDS, max: COMMANDS }), async (beginning, all) => {
      let { isOwned } = beginning;
      let [stored, model] = await begin(beginning);
      for (const given of all) {
        count += 1;
        // It is registered once.
        if (given.kind === 'CONFIRM_WALLET' && isOwned) continue;
        isOwned ||= given.kind === 'CONFIRM_WALLET';
        const next = given.kind === 'DELIVER' ? { ...given, isOwned } : given;
        model = run(model, next);
        stored = await runStored(stored, next, model.now);
        await expectAgreement(stored, model);
      }
      await expectTold(stored, model);
      ends.add(`${model.outgoing.status} ${model.isPaired ? model.incoming?.status : 'alone'}`);
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  );
  expect(count).toBe(RUNS * COMMANDS);
  // Nothing of this would be worth much if the random commands led nowhere.
  expect([...ends]).toEqual(
    expect.arrayContaining([
      'CONFIRMED CONFIRMED',
      'DECLINED DECLINED',
      'CANCELLED CANCELLED',
      'CANCELLED alone',
    ]),
  );
});
