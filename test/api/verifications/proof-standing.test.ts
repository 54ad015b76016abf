import { createHash } from 'node:crypto';
import { confirmSelfHostedTransfer } from '../../../db/lifecycle/confirm-self-hosted.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import { readScreeningContext } from '../../../db/lifecycle/read-screening-context.ts';
import type { Json } from '../../api-client.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTransaction, letPass, readTransaction } from '../../factories/transaction.ts';
import {
  createVerification,
  evmWallet,
  signedFor,
  submit,
  type WalletVerification,
} from '../../factories/verification.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenantPerTest(api);
const other = useTenantPerTest(api);

type Wallet = ReturnType<typeof evmWallet>;
const RULES = {
  autoConfirm: true,
  thresholdEur: '0',
  flowsAbove: ['SIGNATURE_PROOF', 'SATOSHI_TEST'] as const,
  maxProofAgeDays: null,
  acceptUnbound: false,
};
const nameHash = createHash('sha256').update('anna keller').digest('hex');
const reuse = (policy: Json = {}) => ({ subject: { type: 'NATURAL', nameHash }, policy });

async function signed(wallet: Wallet, message: string) {
  return { verificationFlow: 'SIGNATURE_PROOF', message, signature: await wallet.signMessage({ message }) };
}

const unbound = async (wallet: Wallet) => await signed(wallet, `I own ${wallet.address}.`);

async function prove(by = tenant, wallet = evmWallet(), overrides: Json = {}): Promise<WalletVerification> {
  const made = await createVerification(by, { address: wallet.address, ...overrides });
  const { status, body } = await submit(by, made.id, await unbound(wallet));
  expect({ status, body }).toMatchObject({ status: 200, body: { status: 'VERIFIED' } });
  return body as WalletVerification;
}

/** A payout to the wallet, decided as its workflow does; the id. */
async function payOut(by: typeof tenant, destination: string): Promise<string> {
  const { id } = await createTransaction(by, {
    blockchainInfo: { blockchain: 'Ethereum', destination, destinationType: 'NON_CUSTODIAL' },
  });
  await decide(by, id);
  return id;
}

async function decide(by: typeof tenant, id: string, rules: Partial<typeof RULES> = {}): Promise<void> {
  // A proof that was accepted has the transfer screened again first.
  if ((await getTransaction(api.db, by.id, id)).screeningState === 'DUE') await letPass(api.db, id);
  const record = await getTransaction(api.db, by.id, id);
  const { autoConfirm, ...selfHosted } = { ...RULES, ...rules };
  const settings = { autoConfirmSelfHosted: autoConfirm, selfHosted };
  expect((await by.patch('/tenant/me/settings', settings)).status).toBe(200);
  await confirmSelfHostedTransfer(api.db, record, new Date());
}

test('token and url are for callers who may give a proof, in the list as well', async () => {
  const { id } = await createVerification(tenant);
  for (const [role, isShown] of [
    ['OBSERVER', false],
    ['COMPLIANCE', true],
    ['ADMIN', true],
  ] as const) {
    const client = await tenant.as(role);
    const { body } = await client.get<Json>(`/wallet-verification/${id}`);
    const { body: list } = await client.get<Json[]>('/wallet-verification');
    for (const { token, url } of [body, ...list]) {
      expect({ role, token: token !== null, url: url !== null }).toEqual({
        role,
        token: isShown,
        url: isShown,
      });
    }
  }
});

describe('a text is bound to its verification', () => {
  test('by the id, or by the nonce that was issued for it, not by the address', async () => {
    const wallet = evmWallet();
    const [byAddress, byId, byNonce] = await Promise.all(
      [1, 2, 3].map(async () => await createVerification(tenant, { address: wallet.address })),
    );
    if (!byAddress || !byId || !byNonce) throw new Error('not made');
    expect((await submit(tenant, byAddress.id, await unbound(wallet))).body.warnings).toEqual([
      'UNBOUND_MESSAGE',
    ]);
    expect((await submit(tenant, byId.id, await signedFor(wallet, byId))).body.warnings).toEqual([]);
    const text = await api.request<{ message: string }>('POST', '/wallet/verification/message', {
      headers: { 'X-Verification-Token': byNonce.token },
    });
    const nonce = /^Nonce: (.+)$/m.exec(text.body.message)?.[1] ?? '';
    const { body } = await submit(tenant, byNonce.id, await signed(wallet, `Code ${nonce} is mine.`));
    expect(body).toMatchObject({ status: 'VERIFIED', warnings: [] });
  });

  test('what is not bound, and what was signed before, confirms nothing above the threshold by itself', async () => {
    const wallet = evmWallet();
    const { id: verificationId } = await prove(tenant, wallet);
    const id = await payOut(tenant, wallet.address);
    expect(await readTransaction(tenant, id)).toMatchObject({
      subStatus: 'OWNERSHIP_UNCONFIRMED',
      clearance: {
        reasons: ['PENDING', 'OWNERSHIP_UNCONFIRMED', 'PROOF_DOUBTED'],
        nextAction: 'REVIEW',
      },
    });
    const { body: log } = await tenant.get<Json[]>(`/transactions/${id}/events`);
    expect(log[0]).toMatchObject({ data: { need: 'VALUE_UNKNOWN', lack: 'PROOF_DOUBTED' } });
    const review = { decision: 'PROCEED', reason: 'asked by phone' };
    expect((await tenant.post(`/transactions/${id}/review`, review)).status).toBe(200);
    const accepted = await payOut(tenant, wallet.address);
    await decide(tenant, accepted, { acceptUnbound: true });
    expect(await readTransaction(tenant, accepted)).toMatchObject({ status: 'CONFIRMED' });
    // The same text for another customer's case: it proves nothing new, whoever asks.
    const replayed = await createVerification(tenant, { address: wallet.address });
    expect((await submit(tenant, replayed.id, await unbound(wallet))).body.warnings).toContain(
      'MESSAGE_REPLAYED',
    );
    await tenant.post(`/wallet-verification/${verificationId}/revoke`, { reason: 'x' });
    const doubted = await payOut(tenant, wallet.address);
    await decide(tenant, doubted, { acceptUnbound: true });
    expect(await readTransaction(tenant, doubted)).toMatchObject({ status: 'PENDING' });
  });

  test('a doubted proof that comes later is told, and an older good one is not hidden by a newer doubted one', async () => {
    const wallet = evmWallet();
    const id = await payOut(tenant, wallet.address);
    expect((await readTransaction(tenant, id)).clearance.nextAction).toBe('PROVE_OWNERSHIP');
    await prove(tenant, wallet);
    await decide(tenant, id);
    expect((await readTransaction(tenant, id)).clearance.nextAction).toBe('REVIEW');
    const good = await createVerification(tenant, { address: wallet.address });
    await submit(tenant, good.id, await signedFor(wallet, good));
    const newest = await createVerification(tenant, { address: wallet.address });
    await submit(tenant, newest.id, await unbound(wallet));
    await decide(tenant, id);
    expect(await readTransaction(tenant, id)).toMatchObject({
      status: 'CONFIRMED',
      clearance: { reasons: ['CONFIRMED', 'AWAITING_TRANSACTION_HASH'] },
    });
  });
});

describe('reuse of a text that is not bound', () => {
  test('is for the one who asks to refuse', async () => {
    const source = await prove(other, evmWallet(), { reuse: reuse() });
    const taken = await createVerification(tenant, { address: source.address, reuse: reuse() });
    expect(taken).toMatchObject({ status: 'VERIFIED', reuse: { policy: { requireBound: false } } });
    const strict = { address: source.address, reuse: reuse({ requireBound: true }) };
    expect(await createVerification(tenant, strict)).toMatchObject({ status: 'PENDING', reuse: null });
  });

  test('does not turn it into a proof for a transfer above the threshold', async () => {
    const source = await prove(other, evmWallet(), { reuse: reuse() });
    const taken = await createVerification(tenant, { address: source.address, reuse: reuse() });
    expect(taken).toMatchObject({ status: 'VERIFIED', warnings: [] });
    expect(taken.reuse).not.toHaveProperty('isUnbound');
    const id = await payOut(tenant, source.address.toLowerCase());
    expect(await readTransaction(tenant, id)).toMatchObject({
      status: 'PENDING',
      clearance: { nextAction: 'REVIEW' },
    });
  });
});

describe('a wallet on a sanctions list', () => {
  const list = async (...addresses: string[]) => {
    const wallets = addresses.map((address) => ({ asset: 'ETH', address }));
    await activateList(database.pool, 'OFAC_SDN', [listEntry('1', 'Somebody', { wallets })]);
  };
  async function sign(by: typeof tenant, wallet: Wallet, overrides: Json = {}): Promise<WalletVerification> {
    const made = await createVerification(by, { address: wallet.address, ...overrides });
    return (await submit(by, made.id, await signedFor(wallet, made))).body as WalletVerification;
  }
  const verificationFact = async (by: typeof tenant, id: string) => {
    const record = await getTransaction(api.db, by.id, id);
    return (await readScreeningContext(api.db, record, null, new Date())).verification;
  };

  test('its proof confirms no transfer, also where any proof does and once it is listed no more', async () => {
    const wallet = evmWallet();
    await list(wallet.address);
    expect(await sign(tenant, wallet)).toMatchObject({
      status: 'VERIFIED',
      warnings: ['ADDRESS_SANCTIONED'],
    });
    await list();
    const id = await payOut(tenant, wallet.address);
    await decide(tenant, id, { autoConfirm: false, thresholdEur: '1000000000' });
    expect(await readTransaction(tenant, id)).toMatchObject({
      status: 'PENDING',
      clearance: {
        reasons: ['PENDING', 'OWNERSHIP_UNCONFIRMED', 'PROOF_DOUBTED'],
        nextAction: 'REVIEW',
      },
    });
    expect(await verificationFact(tenant, id)).toBeNull();
    const { body: log } = await tenant.get<Json[]>(`/transactions/${id}/events`);
    expect(log.map(({ data }) => (data as Json | null)?.['lack'])).toContain('ADDRESS_SANCTIONED');
    await sign(tenant, wallet);
    await decide(tenant, id);
    expect(await readTransaction(tenant, id)).toMatchObject({ status: 'CONFIRMED' });
    expect(await verificationFact(tenant, id)).toEqual({ status: 'VERIFIED', flow: 'SIGNATURE_PROOF' });
  });

  test('its proof is no source of reuse', async () => {
    const wallet = evmWallet();
    await list(wallet.address);
    await sign(other, wallet, { reuse: reuse() });
    await list();
    const asked = await createVerification(tenant, { address: wallet.address, reuse: reuse() });
    expect(asked).toMatchObject({ status: 'PENDING', reuse: null });
  });

  test('an earlier proof is not reused while the wallet is listed, in any spelling', async () => {
    const wallet = evmWallet();
    await sign(other, wallet, { reuse: reuse() });
    await list(wallet.address.toUpperCase().replace('0X', '0x'));
    const body = { address: wallet.address, reuse: reuse() };
    expect(await createVerification(tenant, body)).toMatchObject({
      status: 'PENDING',
      warnings: ['ADDRESS_SANCTIONED'],
      reuse: null,
    });
    await list();
    expect(await createVerification(tenant, body)).toMatchObject({ status: 'VERIFIED', warnings: [] });
  });
});
