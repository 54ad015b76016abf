import { randomBytes } from 'node:crypto';
import type { Transaction } from '../../domain/transactions/schema.ts';
import { workflowId } from '../../workflows/contract.ts';
import { eventually } from '../eventually.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

/** One word that stands for every piece of personal data and free text; it must show up nowhere in clear. */
const CANARY = `Zanarrio${randomBytes(4).toString('hex')}`;

const party = {
  type: 'NATURAL',
  name: `${CANARY} Name`,
  firstName: CANARY,
  lastName: CANARY,
  accountNumber: CANARY,
  address: `${CANARY} street 1`,
  addressDetails: { street: CANARY, town: CANARY },
  nationalIdentificator: CANARY,
  customerIdentification: CANARY,
  placeOfBirth: CANARY,
};

let system: TestSystem;
let alpine: TestTenant;
let harbour: TestTenant;
let sent: Transaction;

beforeAll(async () => {
  system = await startTestSystem({ config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] } });
  // A port where nobody listens: failures of deliveries are part of what is searched.
  const webhookUrl = 'http://127.0.0.1:9/webhooks';
  alpine = await createTenant(system, { webhookUrl });
  harbour = await createTenant(system, { webhookUrl });
  await play();
});
afterAll(async () => await system.stop());

/** A whole life with the canary in every field, and requests that are refused for carrying it in the wrong place. */
async function play(): Promise<void> {
  const body = {
    asset: 'ETH',
    amount: '1.5',
    metadata: `${CANARY} metadata`,
    internalNote: CANARY,
    blockchainInfo: { destination: `0x${randomBytes(20).toString('hex')}`, destinationType: 'CUSTODIAL' },
    vaspInfo: {
      beneficiaryVaspName: harbour.name,
      beneficiaryVaspExtraInfo: CANARY,
      beneficiaryVaspEmail: `${CANARY}@x.example`,
    },
    originator: party,
    beneficiary: party,
    additionalOriginators: [party],
  };
  const answer = await alpine.post<Transaction>('/transactions', body, {
    headers: { 'Idempotency-Key': 'canary-1' },
  });
  expect(answer.status).toBe(201);
  sent = answer.body;
  await alpine.post('/transactions', {
    ...body,
    amount: CANARY,
    originator: { ...party, country: CANARY, [CANARY]: 1 },
  });
  await alpine.get(`/transactions?q=${CANARY}&_sort=${CANARY}`);
  await alpine.get(`/transactions?q=${CANARY}`);
  const incoming = await eventually(
    async () => (await harbour.get<Transaction[]>('/transactions')).body[0],
    (found) => found !== undefined,
  );
  await alpine.patch(`/transactions/${sent.id}`, { originator: { name: `${CANARY} Second` } });
  await harbour.post('/wallets', {
    address: sent.blockchainInfo.destination,
    asset: 'ETH',
    blockchain: 'Ethereum',
    metadata: CANARY,
  });
  await harbour.patch(`/transactions/${incoming?.id}`, {
    status: 'DECLINED',
    statusReasoning: `${CANARY} reason`,
  });
  await eventually(
    async () => (await alpine.get<Transaction>(`/transactions/${sent.id}`)).body.status,
    (status) => status === 'DECLINED',
  );
  await system.client.workflow.getHandle(workflowId('transactionLifecycle', sent.id)).result();
}

const CANARY_ANYWHERE = new RegExp(CANARY, 'i');

test('the canary is really stored: its tenant reads it back', async () => {
  const { body } = await alpine.get<Transaction>(`/transactions/${sent.id}`);
  expect(body.originator?.name).toBe(`${CANARY} Second`);
  expect((await alpine.get<Transaction[]>(`/transactions?q=${CANARY}`)).body).toHaveLength(1);
});

test('no log line of api or worker has it', () => {
  expect(system.log.length).toBeGreaterThan(5);
  expect(JSON.stringify(system.log)).not.toMatch(CANARY_ANYWHERE);
  expect(JSON.stringify(system.workerLog)).not.toMatch(CANARY_ANYWHERE);
});

test('no Temporal history has it, nor any search attribute, summary or id', async () => {
  const texts: string[] = [];
  await eventually(
    async () => {
      texts.length = 0;
      for await (const execution of system.client.workflow.list()) {
        const history = await system.client.workflow
          .getHandle(execution.workflowId, execution.runId)
          .fetchHistory();
        texts.push(readable({ raw: execution.raw, history }));
      }
      return texts.length;
    },
    (count) => count >= 3,
  );
  expect(texts.join('\n')).toContain(sent.id);
  expect(texts.join('\n')).not.toMatch(CANARY_ANYWHERE);
});

test('no column of any table has it, not even in another encoding', async () => {
  const { rows: tables } = await system.db.pool.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
  );
  const encodings = [CANARY, CANARY.toLowerCase(), CANARY.toUpperCase()].flatMap((word) => [
    word,
    Buffer.from(word).toString('hex'),
    Buffer.from(word).toString('base64').slice(0, -3),
  ]);
  let rowsRead = 0;
  for (const { name } of tables) {
    const { rows } = await system.db.pool.query<{ text: string }>(`select t::text as text from ${name} t`);
    rowsRead += rows.length;
    for (const encoding of encodings) {
      expect(rows.filter(({ text }) => text.includes(encoding)).map(() => name)).toEqual([]);
    }
  }
  expect(rowsRead).toBeGreaterThan(20);
});

/** Payloads are bytes: shown as text, so that a word in them is found. */
function readable(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    member instanceof Uint8Array
      ? Buffer.from(member).toString()
      : typeof member === 'bigint'
        ? String(member)
        : member,
  );
}
