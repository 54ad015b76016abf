import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { parseEther } from 'viem';
import type { WalletVerification } from '../../domain/verifications/schema.ts';
import { workflowId } from '../../workflows/contract.ts';
import { describeWithAnvil, startAnvil, type Anvil } from '../chains/anvil.ts';
import { chainOf } from '../chains/scan-ground.ts';
import { transferData } from '../chains/token.ts';
import { eventually } from '../eventually.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { recordRun } from '../record-history.ts';
import { startTestSystem, type TestSystem } from '../system.ts';
import { fileChains } from '../chains/file-chains.ts';

let anvil: Anvil;
let token: string;
let system: TestSystem;
let tenant: TestTenant;

const account = (index: number) => anvil.accounts[index] ?? '';
const NAME = 'Anvil';
const registerChains = fileChains();

describeWithAnvil('the scanner of a chain', () => {
  beforeAll(async () => {
    anvil = await startAnvil();
    token = await anvil.deployToken();
    const chain = chainOf({
      name: NAME,
      caip2: 'eip155:31337',
      kind: 'EVM',
      nativeAsset: 'ETH',
      decimals: 18,
      confirmations: 2,
      rpcUrl: anvil.url,
      pollMs: 100,
      tokens: [{ asset: 'USDX', address: token, decimals: 6 }],
    });
    registerChains([chain]);
    system = await startTestSystem({ config: { chains: [chain] } });
    tenant = await createTenant(system);
  });
  afterAll(async () => {
    await system.stop();
    await anvil.stop();
  });

  const start = async (more: Record<string, unknown> = {}) => {
    const { body } = await tenant.post<WalletVerification>('/wallet-verification', {
      asset: 'ETH',
      blockchain: NAME,
      address: account(1),
      allowedFlows: ['SATOSHI_TEST'],
      satoshiFlow: { depositAddress: account(2), amount: '0.5' },
      ...more,
    });
    await tenant.post(`/wallet-verification/${body.id}/verification`, { verificationFlow: 'SATOSHI_TEST' });
    return body.id;
  };
  const get = async (id: string) => (await tenant.get<WalletVerification>(`/wallet-verification/${id}`)).body;
  const runs = async () => {
    const found: { runId: string; status: string }[] = [];
    const query = `WorkflowId = '${workflowId('blockchainScan', NAME)}'`;
    for await (const run of system.client.workflow.list({ query })) {
      found.push({ runId: run.runId, status: run.status.name });
    }
    return found;
  };
  const height = async () => {
    const { rows } = await system.db.pool.query<{ height: number }>('select height from chain_cursors');
    return rows[0]?.height;
  };
  const untilScanned = async () => {
    const tip = await anvil.height();
    await eventually(height, (scanned) => scanned === tip);
  };

  test('starts by itself, finds the transfer, ends when nothing waits, and starts again', async () => {
    expect(await runs()).toEqual([]);
    const id = await start();
    const hash = await anvil.send({ from: account(1), to: account(2), value: parseEther('0.5') });
    await anvil.mine(2);
    const verified = await eventually(
      async () => await get(id),
      ({ status }) => status !== 'PENDING',
    );
    expect(verified).toMatchObject({ status: 'VERIFIED', verifiedTransactionHash: hash });
    // Until a fork is past fearing.
    await anvil.mine(70);
    await eventually(runs, (all) => all.length === 1 && all[0]?.status === 'COMPLETED');
    expect(await height()).toBeUndefined();
    await recordRun(system.client, workflowId('blockchainScan', NAME), {
      type: 'blockchainScan',
      name: 'found-and-idle',
    });

    const second = await start();
    await anvil.send({ from: account(1), to: account(2), value: parseEther('0.5') });
    await anvil.mine(2);
    await eventually(
      async () => (await get(second)).status,
      (status) => status === 'VERIFIED',
    );
    // Temporal's list of runs follows a moment later.
    await eventually(runs, (all) => all.length === 2);
    // The verification's own workflow has ended with it.
    await eventually(
      async () => (await system.client.workflow.getHandle(`wv/${second}`).describe()).status.name,
      (status) => status === 'COMPLETED',
    );
  });

  test('operators read where it stands; its history has numbers only', async () => {
    const id = await start({ address: account(3) });
    await eventually(runs, (all) => all.some(({ status }) => status === 'RUNNING'));
    const handle = system.client.workflow.getHandle(workflowId('blockchainScan', NAME));
    const description = await handle.describe();
    expect(await description.staticSummary()).toBe('Transfers on Anvil');
    const text = await eventually(
      async () =>
        historyToJSON(await handle.fetchHistory()).replaceAll(/"data": ?"([^"]+)"/g, (_, data: string) =>
          Buffer.from(data, 'base64').toString(),
        ),
      (history) => history.includes('"waiting":1'),
    );
    for (const secret of [account(3), account(2), id, tenant.id]) expect(text).not.toContain(secret);
    await tenant.delete(`/wallet-verification/${id}`);
  });

  test('a token transfer with a reorg in the middle: only the transfer that stays verifies', async () => {
    const id = await start({
      asset: 'USDX',
      address: account(4),
      satoshiFlow: { depositAddress: account(5) },
    });
    const { satoshiFlow } = await get(id);
    const units = BigInt(Math.round(Number(satoshiFlow.amount) * 1e6));
    const send = async () =>
      await anvil.send({ from: account(4), to: token, data: transferData(account(5), units) });
    await send();
    await anvil.mine();
    await untilScanned();
    const seen = async () =>
      (await system.db.pool.query('select 1 from chain_observations where verification_id = $1', [id]))
        .rowCount;
    await eventually(seen, (count) => count === 1);
    await anvil.rpc('anvil_reorg', [1, []]);
    await eventually(seen, (count) => count === 0);
    expect(await get(id)).toMatchObject({ status: 'PENDING' });
    const hash = await send();
    await anvil.mine(2);
    const verified = await eventually(
      async () => await get(id),
      ({ status }) => status !== 'PENDING',
    );
    expect(verified).toMatchObject({ status: 'VERIFIED', verifiedTransactionHash: hash, warnings: [] });
  });

  test('a node that is away for a while loses nothing', async () => {
    const id = await start({ address: account(6) });
    await untilScanned();
    const state = await anvil.rpc<string>('anvil_dumpState');
    const { port } = anvil;
    await anvil.stop();
    // The running round fails and is tried again.
    const handle = system.client.workflow.getHandle(workflowId('blockchainScan', NAME));
    await eventually(
      async () => (await handle.describe()).raw.pendingActivities?.[0]?.attempt ?? 0,
      (attempt) => attempt >= 2,
    );
    anvil = await startAnvil({ port });
    await anvil.rpc('anvil_loadState', [state]);
    await anvil.send({ from: account(6), to: account(2), value: parseEther('0.5') });
    await anvil.mine(80);
    await eventually(
      async () => (await get(id)).status,
      (status) => status === 'VERIFIED',
    );
  });
});
