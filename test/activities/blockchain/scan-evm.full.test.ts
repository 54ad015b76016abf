import { eventually } from '../../eventually.ts';
import { parseEther, parseUnits } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { evmNode } from '../../../chains/evm-node.ts';
import { followChain } from '../../../activities/blockchain/follow-chain.ts';
import { observeBlock } from '../../../activities/blockchain/observe-block.ts';
import { verificationActivities } from '../../../activities/verifications/verification-activities.ts';
import { endIfIdle } from '../../../db/chain-scan/work.ts';
import { expireDueVerifications } from '../../../db/verifications/expire-due.ts';
import { scanEvmBlock, TRANSFER_TOPIC } from '../../../domain/chain-scan/evm-block.ts';
import type { WalletVerification } from '../../../domain/verifications/schema.ts';
import { lastingPort } from '../../lasting-port.ts';
import type { Json } from '../../api-client.ts';
import { describeWithAnvil, startAnvil, type Anvil } from '../../chains/anvil.ts';
import { chainOf, layScanGround, type ScanGround } from '../../chains/scan-ground.ts';
import { importLabels } from '../../factories/labels.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { evmHash } from '../../factories/transaction.ts';
import { recordingProxy } from '../../fakes/recording-proxy.ts';
import { transferData, transferFromData } from '../../chains/token.ts';

let anvil: Anvil;
let ground: ScanGround;
let token: string;

const account = (index: number) => anvil.accounts[index] ?? '';
const CONFIRMATIONS = 3;
/** Of the accounts that every anvil has. */
const MNEMONIC = 'test test test test test test test test test test test junk';

describeWithAnvil('satoshi tests on a real Ethereum node', () => {
  beforeEach(async () => {
    anvil = await startAnvil();
    token = await anvil.deployToken();
    const chain = chainOf({
      name: 'Anvil',
      caip2: 'eip155:31337',
      kind: 'EVM',
      nativeAsset: 'ETH',
      decimals: 18,
      confirmations: CONFIRMATIONS,
      rpcUrl: anvil.url,
      pollMs: 50,
      tokens: [{ asset: 'USDX', address: token, decimals: 6 }],
    });
    ground = await layScanGround(chain);
  });
  afterEach(async () => {
    await ground.stop();
    await anvil.stop();
  });

  const expected = (made: WalletVerification) => parseEther(made.satoshiFlow.amount ?? '');

  test('a native transfer of the exact amount verifies once it is deep enough', async () => {
    const made = await ground.start({
      asset: 'ETH',
      address: account(1),
      satoshiFlow: { depositAddress: account(2) },
    });
    expect(made).toMatchObject({ status: 'PENDING', flow: 'SATOSHI_TEST' });
    const hash = await anvil.send({ from: account(1), to: account(2), value: expected(made) });
    await anvil.mine(CONFIRMATIONS - 1);
    await ground.scan();
    expect(await ground.get(made.id)).toMatchObject({ status: 'PENDING' });
    await anvil.mine();
    await ground.scan();
    expect(await ground.get(made.id)).toMatchObject({
      status: 'VERIFIED',
      verifiedTransactionHash: hash,
      warnings: [],
    });
  });

  /** A started test of the coin from account 1 to account 2. */
  const startNative = async (more: Json = {}) =>
    await ground.start({
      asset: 'ETH',
      address: account(1),
      satoshiFlow: { depositAddress: account(2), amount: '0.25' },
      ...more,
    });
  const startToken = async (more: Json = {}) =>
    await ground.start({
      asset: 'USDX',
      address: account(1),
      satoshiFlow: { depositAddress: account(2), amount: '1.25' },
      ...more,
    });
  const sendNative = async (value = parseEther('0.25'), from = account(1)) =>
    await anvil.send({ from, to: account(2), value });
  const sendToken = async (units = 1_250_000n, from = account(1)) =>
    await anvil.send({ from, to: token, data: transferData(account(2), units) });
  const mineAndScan = async (blocks = CONFIRMATIONS) => {
    await anvil.mine(blocks);
    await ground.scan();
  };

  test('a token transfer is found by its log; the same log of an unlisted contract is not', async () => {
    const fake = await anvil.deployToken();
    const made = await startToken();
    await anvil.send({ from: account(1), to: fake, data: transferData(account(2), 1_250_000n) });
    await mineAndScan();
    expect(await ground.get(made.id)).toMatchObject({ status: 'PENDING', warnings: [] });
    const hash = await sendToken();
    await mineAndScan();
    expect(await ground.get(made.id)).toMatchObject({ status: 'VERIFIED', verifiedTransactionHash: hash });
  });

  test('a generated amount of a token has five digits and is found too', async () => {
    const made = await startToken({ satoshiFlow: { depositAddress: account(2) } });
    expect(made.satoshiFlow.amount).toMatch(/^1(\.\d{1,4})?$/);
    await sendToken(parseUnits(made.satoshiFlow.amount ?? '', 6));
    await mineAndScan();
    expect(await ground.get(made.id)).toMatchObject({ status: 'VERIFIED' });
  });

  test('a reorg at unchanged height, before the depth, takes the transfer back', async () => {
    const made = await startNative();
    await ground.scan();
    await sendNative();
    await mineAndScan(2);
    const height = await anvil.height();
    await anvil.rpc('anvil_reorg', [2, []]);
    expect(await anvil.height()).toBe(height);
    await mineAndScan(0);
    expect(await observations()).toBe(0);
    await mineAndScan(CONFIRMATIONS + 1);
    expect(await ground.get(made.id)).toMatchObject({ status: 'PENDING', warnings: [] });
    // Waited for again.
    await sendNative();
    await mineAndScan();
    expect(await ground.get(made.id)).toMatchObject({ status: 'VERIFIED' });
  });

  test('a head that falls back takes the transfer back', async () => {
    const made = await startNative();
    await sendNative();
    await mineAndScan(2);
    expect(await observations()).toBe(1);
    await anvil.rpc('anvil_rollback', [2]);
    await mineAndScan(0);
    expect(await observations()).toBe(0);
    await mineAndScan(CONFIRMATIONS);
    expect(await ground.get(made.id)).toMatchObject({ status: 'PENDING' });
  });

  test('a reorg after VERIFIED keeps the state, warns once and tells by webhook', async () => {
    const made = await startNative();
    await sendNative();
    await mineAndScan();
    const verified = await ground.get(made.id);
    expect(verified.status).toBe('VERIFIED');
    await ground.tenant.patch('/tenant/me', { webhookUrl: 'https://hooks.example/in' });
    await anvil.rpc('anvil_reorg', [CONFIRMATIONS, []]);
    await mineAndScan(0);
    await mineAndScan(2);
    const after = await ground.get(made.id);
    expect(after).toMatchObject({
      status: 'VERIFIED',
      warnings: ['PROOF_REORGED'],
      verifiedTransactionHash: verified.verifiedTransactionHash,
      version: verified.version + 1,
    });
    const { body: log } = await ground.tenant.get<{ type: string }[]>(
      `/wallet-verification/${made.id}/events`,
    );
    expect(log.filter(({ type }) => type === 'PROOF_REORGED')).toHaveLength(1);
    const { rows } = await ground.api.db.pool.query(
      'select resource_version as version from webhook_deliveries where resource_id = $1',
      [made.id],
    );
    expect(rows).toEqual([{ version: after.version }]);
  });

  test('a reorg after VERIFIED that only moves the transfer to another block is no news', async () => {
    const made = await startNative();
    const signed = await mnemonicToAccount(MNEMONIC, { addressIndex: 1 }).signTransaction({
      chainId: 31_337,
      nonce: 0,
      to: account(2) as `0x${string}`,
      value: parseEther('0.25'),
      gas: 21_000n,
      gasPrice: 2_000_000_000n,
    });
    await anvil.rpc('eth_sendRawTransaction', [signed]);
    await mineAndScan();
    const verified = await ground.get(made.id);
    expect(verified.status).toBe('VERIFIED');
    await anvil.rpc('anvil_reorg', [CONFIRMATIONS, [[signed, 1]]]);
    await mineAndScan(0);
    await mineAndScan();
    expect(await ground.get(made.id)).toEqual(verified);
  });

  test('near misses warn and the test goes on', async () => {
    const [amount, sender, asset] = [
      await startNative(),
      await startNative({ address: account(3) }),
      await startToken({ address: account(4) }),
    ];
    await sendNative(parseEther('0.24'), account(1));
    await sendNative(parseEther('0.25'), account(5));
    await sendNative(parseEther('1.25'), account(4));
    await mineAndScan();
    expect((await ground.get(amount.id)).warnings.toSorted()).toEqual(['WRONG_AMOUNT', 'WRONG_SENDER']);
    expect((await ground.get(sender.id)).warnings).toEqual(['WRONG_SENDER']);
    expect((await ground.get(asset.id)).warnings).toEqual(['WRONG_ASSET']);
    await sendNative(parseEther('0.25'), account(1));
    await mineAndScan();
    expect(await ground.get(amount.id)).toMatchObject({ status: 'VERIFIED' });
  });

  test('a transaction that failed never counts, not even as a near miss', async () => {
    // The token takes no coins: the transaction is in the block, with its value, and reverts.
    const body = { satoshiFlow: { depositAddress: token, amount: '0.25' } };
    const [exact, near] = [await startNative(body), await startNative({ ...body, address: account(3) })];
    const hash = await anvil.send({ from: account(1), to: token, value: parseEther('0.25') });
    await mineAndScan();
    expect(await anvil.rpc('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x0' });
    for (const { id } of [exact, near])
      expect(await ground.get(id)).toMatchObject({ status: 'PENDING', warnings: [] });
  });

  test('tokens that a spender moved show no control of the address: a person decides', async () => {
    const made = await startToken();
    const data = transferFromData(account(1), account(2), 1_250_000n);
    const hash = await anvil.send({ from: account(7), to: token, data });
    await mineAndScan();
    expect(await ground.get(made.id)).toMatchObject({
      status: 'ACTION_REQUIRED',
      warnings: ['SPENDER_TRANSFER'],
      verifiedTransactionHash: hash,
    });
  });

  test('one transfer verifies one verification, the older one; the second transfer the other', async () => {
    const [older, younger] = [await startNative(), await startNative()];
    const first = await sendNative();
    await mineAndScan();
    expect(await ground.get(older.id)).toMatchObject({ status: 'VERIFIED', verifiedTransactionHash: first });
    expect(await ground.get(younger.id)).toMatchObject({ status: 'PENDING', warnings: [] });
    const second = await sendNative();
    await mineAndScan();
    expect(await ground.get(younger.id)).toMatchObject({
      status: 'VERIFIED',
      verifiedTransactionHash: second,
    });
  });

  test('one transfer verifies the verifications of two tenants, each by its own amount and claim', async () => {
    const hostile = await createTenant(ground.api);
    const theirs = async () => {
      const { body } = await hostile.post<WalletVerification>('/wallet-verification', {
        blockchain: 'Anvil',
        allowedFlows: ['SATOSHI_TEST'],
        asset: 'ETH',
        address: account(1).toLowerCase(),
        satoshiFlow: { depositAddress: account(2).toLowerCase(), amount: '0.250' },
      });
      await hostile.post(`/wallet-verification/${body.id}/verification`, {
        verificationFlow: 'SATOSHI_TEST',
      });
      return body.id;
    };
    const read = async (id: string) =>
      (await hostile.get<WalletVerification>(`/wallet-verification/${id}`)).body;
    const many = [await theirs(), await theirs(), await theirs()];
    const ours = await startNative();
    const hash = await sendNative();
    await mineAndScan();
    const proven = { status: 'VERIFIED', verifiedTransactionHash: hash };
    expect(await ground.get(ours.id)).toMatchObject(proven);
    const states = await Promise.all(many.map(read));
    expect(states.map(({ status }) => status).toSorted()).toEqual(['PENDING', 'PENDING', 'VERIFIED']);
    // A claim that was seen once is not seen again.
    await ground.scan();
    await mineAndScan();
    expect((await Promise.all(many.map(read))).filter(({ status }) => status === 'VERIFIED')).toHaveLength(1);
  });

  test('generated amounts of two tenants for one wallet and one deposit address: each is proven by its own payment', async () => {
    const other = await createTenant(ground.api);
    const satoshiFlow = { depositAddress: account(2) };
    const ours = await startNative({ satoshiFlow });
    const make = async () =>
      await other.post<WalletVerification>('/wallet-verification', {
        blockchain: 'Anvil',
        allowedFlows: ['SATOSHI_TEST'],
        asset: 'ETH',
        address: account(1),
        satoshiFlow,
      });
    // By chance the first may have our amount; the second then has another.
    const [{ body: first }, { body: second }] = [await make(), await make()];
    const theirs = expected(first) === expected(ours) ? second : first;
    await other.post(`/wallet-verification/${theirs.id}/verification`, { verificationFlow: 'SATOSHI_TEST' });
    const stateOfTheirs = async () =>
      (await other.get<WalletVerification>(`/wallet-verification/${theirs.id}`)).body;
    const paidToThem = await sendNative(expected(theirs));
    await mineAndScan();
    const proven = { status: 'VERIFIED', verifiedTransactionHash: paidToThem, warnings: [] as string[] };
    expect(await stateOfTheirs()).toMatchObject(proven);
    // To our tenant this is a payment of another amount, as everybody sees it on the chain.
    expect(await ground.get(ours.id)).toMatchObject({ status: 'PENDING', verifiedTransactionHash: null });
    const paidToUs = await sendNative(expected(ours));
    await mineAndScan();
    expect(await ground.get(ours.id)).toMatchObject({
      status: 'VERIFIED',
      verifiedTransactionHash: paidToUs,
    });
    expect(await stateOfTheirs()).toMatchObject(proven);
  });

  test('a transfer from before the creation proves nothing where amount or deposit address are the caller’s choice', async () => {
    const waiting = await startNative({ satoshiFlow: { depositAddress: account(3) } });
    await sendNative();
    await anvil.mine();
    const made = await startNative();
    await mineAndScan(CONFIRMATIONS + 1);
    expect(await ground.get(made.id)).toMatchObject({ status: 'PENDING', warnings: [] });
    const hash = await sendNative();
    await mineAndScan();
    expect(await ground.get(made.id)).toMatchObject({ status: 'VERIFIED', verifiedTransactionHash: hash });
    expect(await ground.get(waiting.id)).toMatchObject({ status: 'PENDING' });
  });

  test('a node that does not tell the height leaves it to the scanner, and nothing before that counts', async () => {
    const made = await startNative();
    const { pool } = ground.api.db;
    await pool.query('update satoshi_watches set from_height = null');
    await sendNative();
    await mineAndScan();
    expect(await ground.get(made.id)).toMatchObject({ status: 'PENDING' });
    await sendNative();
    await mineAndScan();
    expect(await ground.get(made.id)).toMatchObject({ status: 'VERIFIED' });
  });

  test('only a generated amount at a registered deposit address looks back and may be reused', async () => {
    await ground.tenant.post('/wallets', { address: account(4), asset: 'ETH', blockchain: 'Anvil' });
    const flows: [Json, boolean][] = [
      [{ depositAddress: account(4).toLowerCase() }, false],
      [{ depositAddress: account(4), amount: '0.5' }, true],
      [{ depositAddress: account(5) }, true],
    ];
    for (const [satoshiFlow, isChosen] of flows) {
      const made = await startNative({ satoshiFlow });
      expect(Date.parse(made.satoshiFlow.deadlineAt ?? '')).toBe(Date.parse(made.createdAt) + 48 * 3_600_000);
      const { rows } = await ground.api.db.pool.query<Json>(
        `select v.is_satoshi_chosen, w.looks_back, w.from_height is not null as has_height
         from verifications v join satoshi_watches w on w.verification_id = v.id where v.id = $1`,
        [made.id],
      );
      expect(rows).toEqual([{ is_satoshi_chosen: isChosen, looks_back: !isChosen, has_height: isChosen }]);
    }
  });

  const trustOf = async ({ id }: WalletVerification) => {
    const { rows } = await ground.api.db.pool.query<Json>(
      `select v.is_satoshi_chosen, w.looks_back, w.from_height is not null as has_height
       from verifications v join satoshi_watches w on w.verification_id = v.id where v.id = $1`,
      [id],
    );
    return rows[0];
  };
  const TRUSTED = { is_satoshi_chosen: false, looks_back: true, has_height: false };
  const CHOSEN = { is_satoshi_chosen: true, looks_back: false, has_height: true };

  test('an address that another tenant registered too, or that labels give to another, is not the own', async () => {
    const register = async (by: TestTenant, address: string) =>
      expect((await by.post('/wallets', { address, asset: '*', blockchain: 'Anvil' })).status).toBe(201);
    const start = async (depositAddress: string) =>
      await trustOf(await startNative({ satoshiFlow: { depositAddress } }));
    const other = await createTenant(ground.api);
    const [own, shared, labelled] = [account(4), account(5), account(6)];
    for (const address of [own, shared, labelled]) await register(ground.tenant, address);
    await register(other, shared);
    await importLabels(ground.api.db.pool, [
      { address: labelled, name: 'Kraken', type: 'exchange', confidence: 100, blockchain: 'Ethereum' },
    ]);
    expect(await start(own)).toEqual(TRUSTED);
    expect(await start(shared)).toEqual(CHOSEN);
    expect(await start(labelled)).toEqual(CHOSEN);
    for (const address of [shared, labelled]) {
      const attested = await ground.api.request(
        'POST',
        `/operator/tenants/${ground.tenant.id}/attested-addresses`,
        { operatorKey: ground.api.operatorKey, body: { address, blockchain: 'Anvil', reason: 'by phone' } },
      );
      expect(attested.status).toBe(201);
      expect(await start(address)).toEqual(TRUSTED);
    }
  });

  test('who tests a wallet again and again, deleting in between, finds no old payment', async () => {
    const deposit = account(4);
    await ground.tenant.post('/wallets', { address: deposit, asset: '*', blockchain: 'Anvil' });
    const start = async (address = account(1)) =>
      await startNative({ address, satoshiFlow: { depositAddress: deposit } });
    for (let test = 0; test < 5; test += 1) {
      const made = await start();
      expect(await trustOf(made)).toEqual(TRUSTED);
      await ground.tenant.delete(`/wallet-verification/${made.id}`);
    }
    expect(await trustOf(await start())).toEqual(CHOSEN);
    expect(await trustOf(await start(account(3)))).toEqual(TRUSTED);
  });

  test('a wallet has twenty open tests of a tenant, however many are asked for at once', async () => {
    const start = async () =>
      await ground.tenant.post('/wallet-verification', {
        blockchain: 'Anvil',
        asset: 'ETH',
        address: account(1),
        satoshiFlow: { depositAddress: account(2) },
      });
    const answers = await Promise.all(Array.from({ length: 30 }, start));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(10);
    const made = answers.find(({ status }) => status === 201)?.body as WalletVerification;
    await ground.tenant.delete(`/wallet-verification/${made.id}`);
    expect((await start()).status).toBe(201);
  });

  test('a transfer before the owner says so is kept, and counts when they do', async () => {
    const { body: made } = await ground.tenant.post<WalletVerification>('/wallet-verification', {
      blockchain: 'Anvil',
      allowedFlows: ['SATOSHI_TEST'],
      asset: 'ETH',
      address: account(1),
      satoshiFlow: { depositAddress: account(2), amount: '0.25' },
    });
    await sendNative();
    await mineAndScan();
    expect(await ground.get(made.id)).toMatchObject({ status: 'PENDING', flow: null });
    await ground.submit(made.id);
    await mineAndScan(0);
    expect(await ground.get(made.id)).toMatchObject({ status: 'VERIFIED' });
  });

  test('two scanners at once, and one that ends in the middle, see what one would see', async () => {
    const made = await startNative();
    await sendNative();
    await anvil.mine(10);
    const chain = ground.api.config.chains[0];
    if (!chain) throw new Error('no chain');
    const { db } = ground.api;
    let read = 0;
    const stopSoon = () => (read += 1) === 2;
    await followChain({ db, chain: chain.name, node: evmNode(chain), isOver: stopSoon });
    expect(await observations()).toBe(1);
    const steps = await Promise.all([
      ground.scan(),
      ground.scan(evmNode(chain)),
      ground.scan(evmNode(chain)),
    ]);
    expect(Math.max(...steps.map((step) => (step.outcome === 'SCANNED' ? step.height : 0)))).toBe(
      await anvil.height(),
    );
    await ground.scan();
    expect(await ground.get(made.id)).toMatchObject({ status: 'VERIFIED' });
    const { body: log } = await ground.tenant.get<{ type: string }[]>(
      `/wallet-verification/${made.id}/events`,
    );
    expect(log.filter(({ type }) => type === 'PROOF_ACCEPTED')).toHaveLength(1);
  });

  test('a block costs two calls, the look at the tip counted in, and one for a transfer that may be expected', async () => {
    const chain = ground.api.config.chains[0];
    if (!chain) throw new Error('no chain');
    const proxy = await recordingProxy(anvil.url);
    const node = evmNode({ ...chain, rpcUrl: [proxy.url] });
    const made = await startNative();
    await ground.scan(node);
    const newCalls = () => proxy.calls.splice(0);
    newCalls();
    await ground.scan(node);
    expect(newCalls()).toEqual(['eth_getBlockByNumber']);
    for (let index = 3; index < 8; index += 1)
      await anvil.send({ from: account(index), to: account(8), value: 1n });
    await sendToken(5n, account(3));
    await anvil.mine();
    await ground.scan(node);
    expect(newCalls()).toEqual(['eth_getBlockByNumber', 'eth_getLogs']);
    await sendNative();
    await anvil.mine();
    await ground.scan(node);
    expect(newCalls()).toEqual(['eth_getBlockByNumber', 'eth_getLogs', 'eth_getTransactionReceipt']);
    await anvil.mine(2);
    await ground.scan(node);
    expect(newCalls()).toHaveLength(5);
    expect(await ground.get(made.id)).toMatchObject({ status: 'VERIFIED' });
    await proxy.stop();
  });

  test('of thousands of equal transfers in one transaction as many are looked at as tests expect', async () => {
    const chain = ground.api.config.chains[0];
    if (!chain) throw new Error('no chain');
    const made = await startToken();
    const node = evmNode(chain);
    await ground.scan(node);
    const tip = await node.tip();
    const topic = (address: string) => `0x${address.slice(2).padStart(64, '0')}`;
    const logs = Array.from({ length: 3_000 }, (_, index) => ({
      address: token,
      topics: [TRANSFER_TOPIC, topic(account(1)), topic(account(2))],
      data: `0x${(1_250_000).toString(16).padStart(64, '0')}`,
      logIndex: `0x${index.toString(16)}`,
      transactionIndex: '0x0',
    }));
    const head = {
      number: `0x${(tip.height + 1).toString(16)}`,
      hash: evmHash(),
      parentHash: tip.hash,
      timestamp: `0x${Math.ceil(Date.now() / 1_000).toString(16)}`,
      transactions: [{ hash: evmHash(), from: account(1), to: token, value: '0x0' }],
    };
    const asked: number[] = [];
    const evidenceOf = async (_: unknown, { position }: { position: number }) => {
      asked.push(position);
      return await Promise.resolve({
        senders: [account(1).toLowerCase()],
        signer: account(1).toLowerCase(),
        position,
      });
    };
    const scan = { db: ground.api.db.pool, chain: chain.name, node: { ...node, evidenceOf } };
    const seen = await observeBlock(scan, scanEvmBlock(head, logs), new Set());
    expect(asked).toEqual([0]);
    expect(seen.observations).toEqual([
      expect.objectContaining({ verificationId: made.id, verdict: 'PROVEN' }),
    ]);
  });

  test('with the first node down the second is asked', async () => {
    const chain = ground.api.config.chains[0];
    if (!chain) throw new Error('no chain');
    const node = evmNode({ ...chain, rpcUrl: [`http://127.0.0.1:${await lastingPort()}`, anvil.url] });
    const made = await startNative();
    await sendNative();
    await anvil.mine(CONFIRMATIONS);
    await ground.scan(node);
    expect(await ground.get(made.id)).toMatchObject({ status: 'VERIFIED' });
  });

  test('all nodes down: PENDING beyond the deadline, until the scan has passed it', async () => {
    const [inTime, missing] = [await startNative(), await startNative({ address: account(3) })];
    await sendNative();
    await anvil.mine();
    // Nobody has scanned, and by the clock the time is over.
    const later = new Date(Date.now() + 49 * 3_600_000);
    expect(await expireDueVerifications(ground.api.db, later, ['Anvil'])).toEqual({ expired: 0, outbox: [] });
    const activities = verificationActivities({
      db: ground.api.db,
      chains: ground.api.config.chains,
      notifyWorkflows: () => undefined,
      now: () => later,
    });
    expect((await activities.advanceVerification(inTime)).plan).toMatchObject({
      step: 'WAIT',
      waitingFor: 'CHAIN',
    });
    await anvil.rpc('evm_increaseTime', [49 * 3_600]);
    await mineAndScan(CONFIRMATIONS - 1);
    // Mined in time and confirmed after it; what is missing may still come in a block below.
    expect(await ground.get(inTime.id)).toMatchObject({ status: 'VERIFIED' });
    expect(await ground.get(missing.id)).toMatchObject({ status: 'PENDING' });
    await mineAndScan(1);
    expect(await ground.get(missing.id)).toMatchObject({
      status: 'FAILED',
      failureCode: 'EXPIRED',
      statusReasoning: 'Expired',
    });
  });

  test('nodes that are away for weeks fail nobody; a chain that is no longer scanned does, after one', async () => {
    const made = await startNative();
    const age = (days: number) => `now() - interval '${days} days'`;
    const setDeadline = async (deadline: string) =>
      await ground.api.db.pool.query(
        `with aged as (update satoshi_watches set deadline = ${deadline} where verification_id = $1)
         update verifications set expires_at = ${deadline} where id = $1`,
        [made.id],
      );
    const expired = async (scanned: string[]) =>
      (await expireDueVerifications(ground.api.db, new Date(), scanned)).expired;
    await setDeadline(age(30));
    const activities = verificationActivities({
      db: ground.api.db,
      chains: ground.api.config.chains,
      notifyWorkflows: () => undefined,
      now: () => new Date(),
    });
    expect((await activities.advanceVerification(made)).plan).toMatchObject({ waitingFor: 'CHAIN' });
    expect(await expired(['Anvil'])).toBe(0);
    await setDeadline(age(6));
    expect(await expired([])).toBe(0);
    await setDeadline(age(8));
    expect(await expired([])).toBe(1);
  });

  test('a test that is started when the scan has passed its time is refused with 410', async () => {
    const { body: made } = await ground.tenant.post<WalletVerification>('/wallet-verification', {
      blockchain: 'Anvil',
      asset: 'ETH',
      address: account(1),
      satoshiFlow: { depositAddress: account(2) },
      expiresInHours: 100,
    });
    await ground.scan();
    await anvil.rpc('evm_increaseTime', [49 * 3_600]);
    await mineAndScan();
    expect((await ground.submit(made.id)).status).toBe(410);
    expect(await ground.get(made.id)).toMatchObject({ status: 'PENDING', flow: null });
  });

  test('a transfer in a block after the deadline does not count', async () => {
    const made = await startNative();
    await ground.scan();
    await anvil.rpc('evm_increaseTime', [49 * 3_600]);
    await sendNative();
    await mineAndScan();
    expect(await ground.get(made.id)).toMatchObject({ status: 'FAILED', failureCode: 'EXPIRED' });
  });

  test('a test that is not started ends by the clock, whatever the scan', async () => {
    await ground.tenant.post('/wallet-verification', {
      blockchain: 'Anvil',
      asset: 'ETH',
      address: account(1),
      satoshiFlow: { depositAddress: account(2) },
    });
    const later = new Date(Date.now() + 49 * 3_600_000);
    expect((await expireDueVerifications(ground.api.db, later, ['Anvil'])).expired).toBe(1);
    expect(await endIfIdle(ground.api.db, 'Anvil')).toBe(true);
  });

  test('with nothing to wait for the place is forgotten; the next scan begins near the newest block', async () => {
    const made = await startNative();
    await ground.scan();
    expect(await endIfIdle(ground.api.db, 'Anvil')).toBe(false);
    await ground.tenant.delete(`/wallet-verification/${made.id}`);
    expect(await endIfIdle(ground.api.db, 'Anvil')).toBe(true);
    await anvil.mine(40);
    await anvil.rpc('evm_increaseTime', [600]);
    await anvil.mine();
    await startNative();
    const step = await ground.scan();
    expect(step).toMatchObject({ outcome: 'SCANNED', height: await anvil.height() });
  });

  test('a chain that was replaced by another one is read from its own beginning', async () => {
    const made = await startNative();
    await anvil.mine(5);
    await ground.scan();
    const { port } = anvil;
    const { timestamp } = (await anvil.rpc('eth_getBlockByNumber', ['0x0', false])) as { timestamp: string };
    await anvil.stop();
    // Two nodes that start in one second make the same first block, which would be one chain with a fork.
    await eventually(
      () => Date.now(),
      (now) => now >= (Number(timestamp) + 1) * 1_000,
    );
    anvil = await startAnvil({ port });
    await sendNative();
    await mineAndScan();
    expect(await ground.get(made.id)).toMatchObject({ status: 'VERIFIED' });
  });

  const observations = async () =>
    (await ground.api.db.pool.query('select 1 from chain_observations')).rowCount;
});
