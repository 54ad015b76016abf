import { createHash, randomBytes } from 'node:crypto';
import type { Transaction } from '../../domain/transactions/schema.ts';
import type { WalletImport } from '../../domain/wallets/wallet-import.ts';
import type { Wallet } from '../../domain/wallets/schema.ts';
import { attributes, workflowId } from '../../workflows/contract.ts';
import { eventually } from '../eventually.ts';
import { evmFile, upload } from '../factories/csv.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { createBody, evmAddress } from '../factories/transaction.ts';
import { recordRun } from '../record-history.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

let system: TestSystem;
let tenant: TestTenant;
beforeAll(async () => {
  system = await startTestSystem();
});
afterAll(async () => await system.stop());
beforeEach(async () => {
  tenant = await createTenant(system);
});

const count = async (table: string) =>
  (
    await system.db.pool.query<{ count: number }>(`select count(*) from ${table} where tenant_id = $1`, [
      tenant.id,
    ])
  ).rows[0]?.count;

/** Addresses as their chains write them. */
const MIXED = [
  ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'BTC', 'Bitcoin'],
  ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', '*', 'bitcoin'],
  ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'USDC', 'Polygon'],
  ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'USDT', 'Tron'],
  ['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', 'XRP', 'XRP Ledger'],
  ['So11111111111111111111111111111111111111112', 'SOL', 'Solana'],
] as const;

describe('a file that is right', () => {
  test('is imported whole, whatever the order of its columns, with tags and metadata that are found again', async () => {
    const rows = MIXED.map(
      ([address, asset, chain], index) => `"Customer, ""${index}""",${chain},${address},,${asset}`,
    );
    const file = `\ufeffMetadata,blockchain,address,tag,asset\r\n${rows.join('\r\n')}\r\n\r\n`;
    const answer = await upload(tenant, file);
    expect(answer.body).toEqual({
      id: expect.any(String),
      total: 6,
      created: 6,
      confirmed: 0,
      skipped: 0,
      sanctionedAddresses: [],
      durationMs: expect.any(Number),
    });
    expect(answer.status).toBe(201);
    const sha256 = createHash('sha256').update(file).digest('hex');
    const runId = workflowId('walletCsvImport', tenant.id, sha256);
    const run = await eventually(
      async () => await system.client.workflow.getHandle(runId).describe(),
      ({ status }) => status.name === 'COMPLETED',
    );
    // What operators read in the list, where no run that has ended looks as if it went on.
    expect(run.typedSearchAttributes.get(attributes.status)).toBe('DONE');
    expect(run.typedSearchAttributes.get(attributes.tenantName)).toBe(tenant.name);
    expect(run.typedSearchAttributes.get(attributes.summary)).toBe('Import of a CSV file of wallets');
    await recordRun(system.client, runId, {
      type: 'walletCsvImport',
      name: 'imported',
    });
    const { body: found } = await tenant.get<Wallet[]>('/wallets?_end=100');
    expect(found.map(({ address }) => address).sort()).toEqual(MIXED.map(([address]) => address).sort());
    for (const wallet of found)
      expect(wallet).toMatchObject({ status: 'CONFIRMED', source: 'CSV', tag: null });
    expect((await tenant.get<Wallet[]>('/wallets?q=custom')).body).toHaveLength(6);
    expect(found.map((wallet) => wallet.metadata).sort()[2]).toBe('Customer, "2"');
  });

  test('leaves nothing of the file behind, and its import can be read', async () => {
    const { body } = await upload(tenant, evmFile(3));
    expect(await count('wallet_import_chunks')).toBe(0);
    const { body: read } = await tenant.get<WalletImport>(`/wallets/imports/${body.id}`);
    expect(read).toEqual({
      ...body,
      state: 'DONE',
      errors: null,
      createdAt: expect.any(String),
      finishedAt: expect.any(String),
    });
  });

  test('sent again later is another import that creates nothing', async () => {
    const file = evmFile(5);
    const first = await upload(tenant, file);
    const second = await upload(tenant, file);
    expect(second.body).toMatchObject({ total: 5, created: 0, confirmed: 0, skipped: 5 });
    expect(second.body.id).not.toBe(first.body.id);
    expect(await count('wallets')).toBe(5);
  });

  test('sent twice at once is one import with the same answer twice', async () => {
    const file = evmFile(2_000);
    const [one, other] = await Promise.all([upload(tenant, file), upload(tenant, file)]);
    expect([one.status, other.status]).toEqual([201, 201]);
    expect(one.body).toMatchObject({ created: 2_000, skipped: 0 });
    expect(other.body).toEqual(one.body);
    expect(await count('wallet_imports')).toBe(1);
    expect(await count('wallet_import_chunks')).toBe(0);
  });

  test('with the header alone is an import of nothing', async () => {
    const answer = await upload(tenant, 'address,asset,blockchain\n');
    expect([answer.status, answer.body.total, answer.body.created]).toEqual([201, 0, 0]);
  });

  test('may name a wallet twice, in any spelling: the first counts', async () => {
    const address = evmAddress();
    const rows = [`${address},eth,Ethereum`, `0x${address.slice(2).toUpperCase()},ETH,eip155:1`];
    const answer = await upload(tenant, ['address,asset,blockchain', ...rows].join('\n'));
    expect(answer.body).toMatchObject({ total: 2, created: 1, skipped: 1 });
  });

  test('stores formula cells as the text they are', async () => {
    const formulas = ['=cmd|calc', '+1', '-1+1', '@SUM(1)'];
    const rows = formulas.map((text) => `${evmAddress()},*,Ethereum,${text}`);
    await upload(tenant, ['address,asset,blockchain,metadata', ...rows].join('\n'));
    const { body } = await tenant.get<Wallet[]>('/wallets');
    expect(body.map((wallet) => wallet.metadata).sort()).toEqual(formulas.toSorted());
  });

  test("is the tenant's own: another tenant imports the same file for itself", async () => {
    const other = await createTenant(system);
    const file = evmFile(2);
    expect((await upload(tenant, file)).body.created).toBe(2);
    expect((await upload(other, file)).body.created).toBe(2);
  });
});

describe('what waits for a wallet', () => {
  const toAddress = (destination: string) => ({
    ...createBody(),
    asset: 'ETH',
    blockchainInfo: { blockchain: 'Ethereum', destination, destinationType: 'CUSTODIAL' },
    originator: { name: 'Anna Keller' },
  });
  const fileOf = (address: string, metadata: string) =>
    `address,asset,blockchain,metadata\n${address},ETH,Ethereum,${metadata}\n`;

  test('a detected wallet is confirmed by the file, and the personal data that waited is shown', async () => {
    const sender = await createTenant(system);
    const address = evmAddress();
    await sender.post('/transactions', {
      ...toAddress(address),
      vaspInfo: { beneficiaryVaspName: tenant.name },
    });
    const received = async () => (await tenant.get<Transaction[]>('/transactions')).body[0];
    const sealed = await eventually(received, (record) => record !== undefined);
    expect(sealed).toMatchObject({ blockchainInfo: { isDestinationConfirmed: false }, originator: null });
    const answer = await upload(tenant, fileOf(address, 'hot'));
    expect(answer.body).toMatchObject({ total: 1, created: 0, confirmed: 1, skipped: 0 });
    // What takes longer than two seconds is released after the answer.
    const released = await eventually(received, (record) => record?.originator != null);
    expect(released).toMatchObject({
      blockchainInfo: { isDestinationConfirmed: true },
      originator: { name: 'Anna Keller' },
    });
    const { body } = await tenant.get<Wallet[]>('/wallets');
    expect(body).toEqual([expect.objectContaining({ status: 'CONFIRMED', source: 'CSV', metadata: 'hot' })]);
  });

  test('a message that nobody was found for is routed by the file', async () => {
    const sender = await createTenant(system);
    const address = evmAddress();
    const { body: sent } = await sender.post<Transaction>('/transactions', toAddress(address));
    const read = async () => (await sender.get<Transaction>(`/transactions/${sent.id}`)).body;
    await eventually(read, (record) => record.subStatus === 'VASP_NOT_FOUND');
    await upload(tenant, fileOf(address, 'deposit'));
    await eventually(read, (record) => record.status === 'DELIVERED');
  });
});

describe('under an Idempotency-Key', () => {
  const keyed = () => ({ 'Idempotency-Key': randomBytes(8).toString('hex') });

  test('the repeat gets the first answer and has no effect', async () => {
    const [headers, file] = [keyed(), evmFile(2)];
    const first = await upload(tenant, file, headers);
    const repeat = await upload(tenant, file, headers);
    expect(repeat.body).toEqual(first.body);
    expect(repeat.headers.get('Idempotency-Replayed')).toBe('true');
    expect(await count('wallet_imports')).toBe(1);
    expect(await count('wallet_import_chunks')).toBe(0);
  });

  test('a refusal is kept too, and another file under the key is 422', async () => {
    const headers = keyed();
    const first = await upload(tenant, 'address,asset\n', headers);
    const repeat = await upload(tenant, 'address,asset\n', headers);
    expect([first.status, repeat.status]).toEqual([400, 400]);
    expect(repeat.body).toEqual(first.body);
    const other = await upload(tenant, evmFile(1), headers);
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
    expect(await count('wallet_import_chunks')).toBe(0);
  });

  test('twins at once: one is imported, the other waits for its answer by 409 or gets it', async () => {
    const [headers, file] = [keyed(), evmFile(1_000)];
    const answers = await Promise.all([upload(tenant, file, headers), upload(tenant, file, headers)]);
    expect(answers.map(({ status }) => status)).toContain(201);
    const late = answers.find(({ status }) => status !== 201);
    if (late) expect([late.status, late.headers.get('Retry-After')]).toEqual([409, '2']);
    expect((await upload(tenant, file, headers)).body).toMatchObject({ created: 1_000 });
    expect(await count('wallet_imports')).toBe(1);
  });
});

test('no row of the file reaches the history of its workflow', async () => {
  const secret = `Xenophilius${randomBytes(4).toString('hex')}`;
  const address = evmAddress();
  const right = `address,asset,blockchain,metadata\n${address},ETH,Ethereum,${secret}\n`;
  for (const file of [`${right}broken,x,Ethereum,${secret}`, right]) {
    await upload(tenant, file);
    // By its own name: in Temporal's list of runs it would be a moment later only.
    const run = workflowId('walletCsvImport', tenant.id, createHash('sha256').update(file).digest('hex'));
    const seen = bytesIn(await system.client.workflow.getHandle(run).fetchHistory()).join('\n');
    expect(seen).toContain(tenant.id);
    expect(seen).not.toMatch(new RegExp(`${secret}|${address}`, 'i'));
  }
});

/** Every text and every payload of a history, as text. */
function bytesIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('latin1')];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(bytesIn);
}
