import { parseSignature } from 'viem';
import { readChains } from '../../../chains/chains-file.ts';
import { startTestApi, type Json, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { evmAddress } from '../../factories/transaction.ts';
import {
  createVerification,
  evmWallet,
  readVerification,
  submit,
  verificationBody,
} from '../../factories/verification.ts';

const { chains } = readChains(
  JSON.stringify([
    {
      name: 'Ethereum',
      caip2: 'eip155:1',
      kind: 'EVM',
      nativeAsset: 'ETH',
      decimals: 18,
      rpcUrl: 'http://127.0.0.1:9',
      tokens: [{ asset: 'USDC', address: evmAddress(), decimals: 6 }],
    },
    {
      name: 'Bitcoin',
      caip2: 'bip122:000000000019d6689c085ae165831e93',
      kind: 'BITCOIN',
      nativeAsset: 'BTC',
      decimals: 8,
      esploraUrl: 'http://127.0.0.1:9',
    },
  ]),
);

let database: TestDatabase;
let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database, { config: { chains } });
  tenant = await createTenant(api);
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

/** Rows of everything that a proof or a creation could leave; a wrong proof is an entry of the log. */
async function stored(): Promise<unknown> {
  const tables = ['verifications', 'signed_messages', 'satoshi_watches', 'webhook_deliveries', 'outbox'];
  const counts = tables.map((table) => `(select count(*) from ${table}) as ${table}`);
  const { rows } = await database.pool.query(
    `select ${counts.join(', ')}, (select count(*) from events where type <> 'PROOF_REJECTED') as events`,
  );
  return rows[0];
}

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const word = (value: bigint) => value.toString(16).padStart(64, '0');
const MESSAGE = 'I own this wallet.\r\nReally.';
const permit = {
  types: { EIP712Domain: [], Permit: [{ name: 'value', type: 'uint256' }] },
  domain: { name: 'USD Coin' },
  primaryType: 'Permit',
  message: { value: '1' },
};

/** The signature with its last byte, v, replaced. */
const withV = (v: string) => (signature: string) => signature.slice(0, -2) + v;

function highTwin(signature: string): string {
  const { r, s } = parseSignature(signature as `0x${string}`);
  return `${r}${word(ORDER - BigInt(s))}${signature.endsWith('1b') ? '1c' : '1b'}`;
}

describe('a proof that is', () => {
  test.each<[string, string, (signature: string) => string]>([
    ['no hexadecimal', 'signature_malformed', (signature) => `${signature.slice(0, -1)}g`],
    ['a digit short', 'signature_malformed', (signature) => signature.slice(0, -1)],
    ['two bytes short', 'signature_malformed', (signature) => signature.slice(0, -4)],
    ['a byte long', 'signature_malformed', (signature) => `${signature}00`],
    ['written with 0X', 'signature_malformed', (signature) => `0X${signature.slice(2)}`],
    ['the high-s twin', 'signature_malformed', highTwin],
    ['of v 2', 'signature_malformed', withV('02')],
    ['of v 29', 'signature_malformed', withV('1d')],
    ['of v 37', 'signature_malformed', withV('25')],
    ['of r 0', 'signature_malformed', (signature) => `0x${word(0n)}${signature.slice(66)}`],
  ])('%s: 400, and nothing is stored', async (_what, code, change) => {
    const wallet = evmWallet();
    const made = await createVerification(tenant, { address: wallet.address });
    const signature = change(await wallet.signMessage({ message: MESSAGE }));
    await requireRefused(made.id, { message: MESSAGE, signature }, code);
  });

  test.each<[string, string, string]>([
    ['without a word', '', 'message_empty'],
    ['of 10 kB and a byte', 'x'.repeat(10_241), 'validation_failed'],
    ['with a lone surrogate', `${MESSAGE}\ud83d`, 'validation_failed'],
    ['of line ends that were changed', MESSAGE.replaceAll('\r\n', '\n'), 'signature_mismatch'],
    ['of a space more', `${MESSAGE} `, 'signature_mismatch'],
    ['typed data', JSON.stringify(permit), 'signature_typed_data'],
    ['typed data, spread over lines', JSON.stringify(permit, null, 2), 'signature_typed_data'],
    ['typed data in a list', JSON.stringify([permit]), 'signature_typed_data'],
    ['typed data as a text in JSON', JSON.stringify(JSON.stringify(permit)), 'signature_typed_data'],
  ])('over a text %s: 400, and nothing is stored', async (_what, message, code) => {
    const wallet = evmWallet();
    const made = await createVerification(tenant, { address: wallet.address });
    const signature = await wallet.signMessage({ message: MESSAGE });
    await requireRefused(made.id, { message, signature }, code);
  });

  async function requireRefused(id: string, proof: { message: string; signature: string }, code: string) {
    const before = await stored();
    const answer = await submit(tenant, id, { verificationFlow: 'SIGNATURE_PROOF', ...proof });
    expect([answer.status, answer.body]).toMatchObject([400, { code, detail: expect.any(String) }]);
    expect(JSON.stringify(answer.body)).not.toContain(proof.signature);
    expect(await stored()).toEqual(before);
    expect(await readVerification(tenant, id)).toMatchObject({ status: 'PENDING', message: null });
  }
});

describe('a satoshi test', () => {
  const wallet = evmAddress();
  const bitcoin = {
    blockchain: 'Bitcoin',
    asset: 'BTC',
    address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  };
  const depositAddress = evmAddress();
  const legacy = '1BgGZ9tcN4rm9KBzDn7KprQz87SZ26SAMH';
  test.each<[string, Json, string]>([
    ['to the wallet itself', { satoshiFlow: { depositAddress: wallet } }, '/satoshiFlow/depositAddress'],
    [
      'to the wallet in capitals',
      { satoshiFlow: { depositAddress: `0x${wallet.slice(2).toUpperCase()}` } },
      '/satoshiFlow/depositAddress',
    ],
    ['to another chain', { satoshiFlow: { depositAddress: legacy } }, '/satoshiFlow/depositAddress'],
    [
      'below dust',
      { ...bitcoin, satoshiFlow: { depositAddress: legacy, amount: '0.00000545' } },
      '/satoshiFlow/amount',
    ],
    ['of nothing', { satoshiFlow: { depositAddress, amount: '0' } }, '/satoshiFlow/amount'],
    [
      'of more decimals than the asset has',
      { asset: 'USDC', satoshiFlow: { depositAddress, amount: '0.0000001' } },
      '/satoshiFlow/amount',
    ],
    ['without its deposit', { allowedFlows: ['SATOSHI_TEST'] }, '/satoshiFlow'],
    [
      'on a chain without a node',
      { blockchain: 'Polygon', allowedFlows: ['SATOSHI_TEST'], satoshiFlow: { depositAddress } },
      '/allowedFlows',
    ],
  ])('%s: 400 at its place, and nothing is stored', async (_what, change, pointer) => {
    const before = await stored();
    const body = verificationBody({ address: wallet, ...change });
    const answer = await tenant.post('/wallet-verification', body);
    expect([answer.status, answer.body]).toMatchObject([400, { errors: [{ pointer }] }]);
    expect(await stored()).toEqual(before);
  });

  test('is taken where nothing of that is so', async () => {
    const made = await createVerification(tenant, { address: wallet, satoshiFlow: { depositAddress } });
    expect(made.allowedFlows).toContain('SATOSHI_TEST');
  });
});
