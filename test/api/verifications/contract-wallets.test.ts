import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getContractAddress, keccak256, serializeErc6492Signature, type Hex } from 'viem';
import type { EventView } from '../../../domain/events/schema.ts';
import { getVerification } from '../../../db/verifications/find-verification.ts';
import { describeWithAnvil, startAnvil, type Anvil } from '../../chains/anvil.ts';
import { chainOf } from '../../chains/scan-ground.ts';
import { creationOf, FACTORY, LOOPS, NO, REVERTS, YES } from '../../chains/wallet-contracts.ts';
import { createTenant } from '../../factories/tenant.ts';
import {
  createVerification,
  evmWallet,
  readVerification,
  signedFor,
  submit,
} from '../../factories/verification.ts';
import { useApi, useTenant } from '../../use-api.ts';
import { fileChains } from '../../chains/file-chains.ts';

const entry = (name: string, chainId: number, rpcUrl: string[]) => ({
  name,
  kind: 'EVM',
  caip2: `eip155:${chainId}`,
  aliases: [],
  nativeAsset: 'ETH',
  decimals: 18,
  rpcUrl,
});
const CHAIN_ID = 31_337;
const noise = (bytes = 65): Hex => `0x${randomBytes(bytes - 1).toString('hex')}1b`;

const registerChains = fileChains();

describeWithAnvil('a signature of a contract wallet', () => {
  let anvil: Anvil;
  let silent: Server;
  /** Whether no database connection was in use, at each request that the silent node was sent and a second later. */
  const idleMeanwhile: boolean[] = [];

  const { api } = useApi(async () => {
    anvil = await startAnvil({ chainId: CHAIN_ID });
    // Takes connections and never answers.
    silent = createServer(() => {
      const look = () => idleMeanwhile.push(api.db.pool.idleCount === api.db.pool.totalCount);
      look();
      setTimeout(look, 1000);
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const refused = 'http://127.0.0.1:9';
    const chains = [
      entry('Wallet Chain', CHAIN_ID, [refused, anvil.url]),
      entry('Dead Chain', CHAIN_ID + 1, [refused]),
      entry('Silent Chain', CHAIN_ID + 2, Array<string>(6).fill(silentUrl)),
      entry('Mistaken Chain', CHAIN_ID + 3, [anvil.url]),
      entry('Nodeless Chain', CHAIN_ID + 4, []),
    ].map((made) => chainOf(made.rpcUrl.length > 0 ? made : { ...made, rpcUrl: undefined }));
    registerChains(chains);
    return { config: { chains } };
  });
  const tenant = useTenant(api);
  beforeAll(async () => {
    await tenant.patch('/tenant/me/settings', { walletVerification: { contractWallets: true } });
  });
  afterAll(async () => {
    silent.closeAllConnections();
    silent.close();
    await anvil.stop();
  });

  const deploy = async (code: string): Promise<Hex> => {
    const hash = await anvil.send({ from: anvil.accounts[0] ?? '', data: creationOf(code) });
    await anvil.mine();
    const { contractAddress } = await anvil.rpc<{ contractAddress: Hex }>('eth_getTransactionReceipt', [
      hash,
    ]);
    return contractAddress;
  };
  const create = async (address: string, blockchain = 'Wallet Chain', by = tenant) =>
    await createVerification(by, { address, blockchain });
  const proof = (id: string, signature: string) => ({
    verificationFlow: 'SIGNATURE_PROOF',
    message: `I own this wallet. Verification ${id}`,
    signature,
  });
  const triesOf = async (id: string) => (await getVerification(api.db, tenant.id, id)).record.badTries;

  test('is accepted when the contract says yes, with a warning, its risk and what was asked kept sealed', async () => {
    const address = await deploy(YES);
    const { id } = await create(address);
    const answer = await submit(tenant, id, proof(id, noise()));
    expect(answer).toMatchObject({
      status: 200,
      body: {
        status: 'VERIFIED',
        flow: 'SIGNATURE_PROOF',
        warnings: ['CONTRACT_SIGNATURE'],
        riskSeverity: 'medium',
      },
    });
    const { record } = await getVerification(api.db, tenant.id, id);
    const block = await anvil.rpc<{ number: string; hash: string }>('eth_getBlockByNumber', [
      'latest',
      false,
    ]);
    expect(record.personal.contractCheck).toEqual({
      standard: 'ERC1271',
      blockchain: 'Wallet Chain',
      blockNumber: String(Number(block.number)),
      blockHash: block.hash,
      codeHash: keccak256(`0x${YES}`),
    });
    const { rows } = await api.db.pool.query('select * from verifications where id = $1', [id]);
    expect(JSON.stringify(rows)).not.toContain(block.hash.slice(2));
    const events = await tenant.get<EventView[]>(`/wallet-verification/${id}/events`);
    expect(events.body[0]).toMatchObject({ type: 'PROOF_ACCEPTED', data: { scheme: 'ERC1271' } });
    expect(JSON.stringify(events.body)).not.toContain(block.hash);
  });

  test.each([32, 64, 66, 2_000])('of %i bytes goes to the contract too', async (bytes) => {
    const { id } = await create(await deploy(YES));
    expect((await submit(tenant, id, proof(id, noise(bytes)))).body.status).toBe('VERIFIED');
  });

  test('is accepted from a wallet that is not deployed yet (ERC-6492)', async () => {
    const factory = await deploy(FACTORY);
    const bytecode = creationOf(YES);
    const address = getContractAddress({
      opcode: 'CREATE2',
      from: factory,
      salt: `0x${'0'.repeat(64)}`,
      bytecode,
    });
    const { id } = await create(address);
    const plain = await submit(tenant, id, proof(id, noise()));
    expect(plain).toMatchObject({ status: 400, body: { code: 'signature_mismatch' } });
    const signature = serializeErc6492Signature({ address: factory, data: bytecode, signature: noise() });
    expect(await submit(tenant, id, proof(id, signature))).toMatchObject({
      status: 200,
      body: { status: 'VERIFIED', warnings: ['CONTRACT_SIGNATURE'] },
    });
    const { contractCheck } = (await getVerification(api.db, tenant.id, id)).record.personal;
    expect(contractCheck).toMatchObject({ standard: 'ERC6492', codeHash: null });
  });

  test('is refused for the zero address, which nobody has, also for a wallet that would still be deployed', async () => {
    const factory = await deploy(FACTORY);
    const data = creationOf(YES);
    const wrapped = serializeErc6492Signature({ address: factory, data, signature: noise() });
    for (const signature of [noise(), `0x${'0'.repeat(130)}`, wrapped]) {
      const { id } = await create(`0x${'0'.repeat(40)}`);
      expect(await submit(tenant, id, proof(id, signature))).toMatchObject({
        status: 400,
        body: { code: 'signature_mismatch' },
      });
      expect((await readVerification(tenant, id)).status).toBe('PENDING');
    }
  });

  test('is refused for the precompiled contract that answers with the question, whose beginning is the word for yes', async () => {
    const factory = await deploy(FACTORY);
    const wrapped = serializeErc6492Signature({
      address: factory,
      data: creationOf(YES),
      signature: noise(),
    });
    for (const signature of [noise(), wrapped]) {
      const { id } = await create(`0x${'4'.padStart(40, '0')}`);
      expect(await submit(tenant, id, proof(id, signature))).toMatchObject({
        status: 400,
        body: { code: 'signature_mismatch' },
      });
      expect((await readVerification(tenant, id)).status).toBe('PENDING');
    }
  });

  test.each([
    ['says no', NO],
    ['reverts', REVERTS],
    ['never ends', LOOPS],
  ])('is refused and counted when the contract %s', async (_what, code) => {
    const { id } = await create(await deploy(code));
    expect(await submit(tenant, id, proof(id, noise()))).toMatchObject({
      status: 400,
      body: { code: 'signature_mismatch' },
    });
    expect(await triesOf(id)).toBe(1);
    expect((await readVerification(tenant, id)).status).toBe('PENDING');
  });

  test('is refused where there is no contract at the address', async () => {
    const wallet = evmWallet();
    const made = await create(wallet.address);
    const foreign = await signedFor(evmWallet(), made);
    expect(await submit(tenant, made.id, foreign)).toMatchObject({ body: { code: 'signature_mismatch' } });
    expect((await submit(tenant, made.id, await signedFor(wallet, made))).body).toMatchObject({
      status: 'VERIFIED',
      warnings: [],
    });
  });

  test('is never asked for while the key itself signed: no node is needed then', async () => {
    const wallet = evmWallet();
    const made = await create(wallet.address, 'Dead Chain');
    const answer = await submit(tenant, made.id, await signedFor(wallet, made));
    expect(answer.body).toMatchObject({ status: 'VERIFIED', warnings: [] });
    expect((await getVerification(api.db, tenant.id, made.id)).record.personal.contractCheck).toBeUndefined();
  });

  test.each([
    ['signature_malformed', `0x${'zz'.repeat(65)}`],
    ['signature_malformed', `0x${'ab'.repeat(16_385)}`],
    ['signature_malformed', '0xabc'],
    ['signature_malformed', ''],
  ])('that has no form is %s, and nobody is asked', async (code, signature) => {
    const { id } = await create(await deploy(YES), 'Wallet Chain');
    expect(await submit(tenant, id, proof(id, signature))).toMatchObject({ status: 400, body: { code } });
  });

  test('over typed data is refused as such, whatever the contract would say', async () => {
    const { id } = await create(await deploy(YES));
    const message = JSON.stringify({
      types: { EIP712Domain: [] },
      domain: {},
      primaryType: 'Permit',
      message: {},
    });
    const answer = await submit(tenant, id, { ...proof(id, noise()), message });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'signature_typed_data' },
    });
    expect((await readVerification(tenant, id)).status).toBe('PENDING');
  });

  test.each(['Dead Chain', 'Mistaken Chain'])(
    'on %s is 503, to be tried again, and no wrong proof',
    async (chain) => {
      const { id } = await create(await deploy(YES), chain);
      const signature = noise();
      const answer = await submit(tenant, id, proof(id, signature));
      expect(answer).toMatchObject({ status: 503, body: { code: 'temporarily_unavailable' } });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await triesOf(id)).toBe(0);
      expect(JSON.stringify([answer.body, api.log])).not.toContain(signature.slice(2));
    },
  );

  test('waits 5 s for silent nodes, all together, and holds no database connection meanwhile', async () => {
    const { id } = await create(await deploy(YES), 'Silent Chain');
    const startedAt = Date.now();
    expect(await submit(tenant, id, proof(id, noise()))).toMatchObject({ status: 503 });
    expect(idleMeanwhile.length).toBeGreaterThanOrEqual(12);
    // The API itself may read something for a moment; a request that kept its connection would have it each time.
    expect(idleMeanwhile).toContain(true);
    // With 5 s for each node it would take 30 s.
    expect(Date.now() - startedAt).toBeLessThan(25_000);
    expect(await triesOf(id)).toBe(0);
  });

  test('is refused by default: the tenant has to allow contract wallets', async () => {
    const careful = await createTenant(api);
    const { id } = await create(await deploy(YES), 'Wallet Chain', careful);
    expect(await submit(careful, id, proof(id, noise()))).toMatchObject({
      status: 400,
      body: { code: expect.stringMatching(/^signature_m/) },
    });
  });

  test.each(['Nodeless Chain', 'Ethereum'])('is refused on %s, of which there is no node', async (chain) => {
    const { id } = await create(await deploy(YES), chain);
    expect(await submit(tenant, id, proof(id, noise()))).toMatchObject({
      status: 400,
      body: { code: expect.stringMatching(/^signature_m/) },
    });
    expect(await triesOf(id)).toBe(1);
  });

  test('is no source of reuse', async () => {
    const reuse = {
      subject: { type: 'NATURAL', nameHash: 'ab'.repeat(32) },
      policy: { minimumMatchLevel: 'LOW' },
    };
    const address = await deploy(YES);
    const { id } = await createVerification(tenant, { address, blockchain: 'Wallet Chain', reuse });
    expect((await submit(tenant, id, proof(id, noise()))).body.status).toBe('VERIFIED');
    const second = await createVerification(tenant, { address, blockchain: 'Wallet Chain', reuse });
    expect(second).toMatchObject({ status: 'PENDING', reuse: null });
  });
});
