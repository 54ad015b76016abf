import fc from 'fast-check';
import { deliverNative, type JudgeArrival } from '../../../db/lifecycle/deliver-native.ts';
import { readBasis } from '../../../db/lifecycle/judgement-basis.ts';
import { inTransaction } from '../../../db/postgres.ts';
import { changeTransaction } from '../../../db/transactions/change-transaction.ts';
import { READ_COLUMNS } from '../../../db/transactions/row.ts';
import { openRow } from '../../../db/transactions/find-transaction.ts';
import { wakeForRescreening } from '../../../db/transactions/wake-for-rescreening.ts';
import { registerWallet } from '../../../db/wallets/register-wallet.ts';
import type { RecordRow } from '../../../db/records/record-table.ts';
import { DomainError } from '../../../domain/errors.ts';
import type { TransactionRecord } from '../../../domain/transactions/record.ts';
import { newWallet } from '../../../domain/wallets/schema.ts';
import { subStatusOf } from '../../../domain/transactions/sub-status.ts';
import { commands, HASH, type Command, type Side } from '../../domain/transactions/model/commands.ts';
import { decide, run, type Pair } from '../../domain/transactions/model/pair.ts';
import { verdictOf, type Outcome } from '../../domain/transactions/model/verdicts.ts';
import { createTenant, WEBHOOK_URL, type TestTenant } from '../../factories/tenant.ts';
import { clearScreening, createTransaction, evmAddress } from '../../factories/transaction.ts';
import { storedWebhooks } from '../../stored-webhooks.ts';
import { useApi } from '../../use-api.ts';

const SEED = 20_261_122;
const RUNS = 25;
const COMMANDS = 40;

const { api } = useApi();
let tenants: Record<Side, TestTenant>;

beforeAll(async () => {
  const webhooks = { webhookUrl: WEBHOOK_URL };
  tenants = { outgoing: await createTenant(api, webhooks), incoming: await createTenant(api, webhooks) };
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
    await own(pair.destination, now);
    return pair;
  }
  const id = pair.ids[next.side];
  if (id === null) return pair;
  if (next.kind === 'RESCREEN') {
    await wakeForRescreening(api.db.pool, [id], now);
    return pair;
  }
  try {
    await changeTransaction(api.db, {
      tenantId: tenants[next.side].id,
      id,
      now,
      decide: (record, counterpart) => decide(record, counterpart, next, now),
    });
  } catch (error) {
    // A deleted record is not found.
    if (!(error instanceof DomainError) || error.code !== 'not_found') throw error;
  }
  return pair;
}

async function deliverStored(pair: StoredPair, outcome: Outcome | null, now: Date): Promise<StoredPair> {
  const { id: tenantId } = tenants.outgoing;
  const record = await read('outgoing', pair.ids.outgoing);
  if (record?.destinationType !== 'CUSTODIAL') return pair;
  const delivery = { tenantId, id: record.id, receiverTenantId: tenants.incoming.id, now };
  const delivered = await deliverNative(api.db, delivery, judgeAs(outcome, now));
  return delivered ? { ...pair, ids: { ...pair.ids, incoming: delivered.incoming.id } } : pair;
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
      basis: await readBasis(api.db.pool, record),
      now,
    };
  };
}

/** The receiver registers the destination on every chain that the commands name. */
async function own(address: string, now: Date): Promise<void> {
  await inTransaction(api.db.pool, async (tx) => {
    for (const blockchain of ['Ethereum', 'Polygon']) {
      const wallet = newWallet({ address, asset: '*', blockchain });
      await registerWallet(api.db, tx, { tenantId: tenants.incoming.id, wallet, now });
    }
  });
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
  const { originator, beneficiary, statusReasoning } = record.personal;
  const facts = Object.fromEntries(FACTS.map((name) => [name, record[name]]));
  return { ...facts, originator, beneficiary, statusReasoning };
}

interface Beginning {
  isHashed: boolean;
  isRecorded: boolean;
  isSelfHosted: boolean;
  isOwned: boolean;
}

async function begin({
  isHashed,
  isRecorded,
  isSelfHosted,
  isOwned,
}: Beginning): Promise<[StoredPair, Pair]> {
  const destination = evmAddress();
  const destinationType = isSelfHosted ? 'NON_CUSTODIAL' : 'CUSTODIAL';
  const blockchainInfo = { destination, blockchain: 'Ethereum', ...(isHashed && { transactionHash: HASH }) };
  if (isOwned) await own(destination, new Date());
  const sent = await createTransaction(tenants.outgoing, {
    blockchainInfo: { ...blockchainInfo, destinationType },
  });
  const recorded = isRecorded
    ? await createTransaction(tenants.incoming, { direction: 'INCOMING', blockchainInfo })
    : null;
  const ids = { outgoing: sent.id, incoming: recorded?.id ?? null };
  const outgoing = await read('outgoing', ids.outgoing);
  if (!outgoing) throw new Error('it was not stored');
  const incoming = await read('incoming', ids.incoming);
  const told = { outgoing: null, incoming: null };
  const pair = { outgoing, incoming, isPaired: false, isRuled: false, told, now: new Date() };
  return [{ ids, destination }, pair];
}

async function expectAgreement(stored: StoredPair, model: Pair): Promise<void> {
  for (const side of ['outgoing', 'incoming'] as const) {
    expect([side, factsOf(await read(side, stored.ids[side]))]).toEqual([side, factsOf(model[side])]);
  }
}

async function expectTold(stored: StoredPair, model: Pair): Promise<void> {
  for (const side of ['outgoing', 'incoming'] as const) {
    const id = stored.ids[side];
    if (id === null || model[side]?.deletedAt) continue;
    const last = (await storedWebhooks(api, tenants[side], id)).at(-1);
    expect([side, last?.clearance.outcome ?? null]).toEqual([side, model.told[side]]);
  }
}

const beginnings = fc.record({
  isHashed: fc.boolean(),
  isRecorded: fc.boolean(),
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
