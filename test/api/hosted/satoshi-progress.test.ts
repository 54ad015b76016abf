import { parseEther } from 'viem';
import type { HostedVerification } from '../../../domain/verifications/hosted.ts';
import { describeWithAnvil, startAnvil, type Anvil } from '../../chains/anvil.ts';
import { chainOf, layScanGround } from '../../chains/scan-ground.ts';

let anvil: Anvil;
let ground: Awaited<ReturnType<typeof layScanGround>>;
const account = (index: number) => anvil.accounts[index] ?? '';

/** What the hosted page shows of the test. */
async function shown(token: string): Promise<HostedVerification> {
  const headers = { 'X-Verification-Token': token };
  return (await ground.api.request<HostedVerification>('GET', '/wallet/verification', { headers })).body;
}

describeWithAnvil('the satoshi test on the hosted page', () => {
  beforeAll(async () => {
    anvil = await startAnvil();
    const chain = chainOf({
      name: 'Anvil',
      caip2: 'eip155:31337',
      kind: 'EVM',
      nativeAsset: 'ETH',
      decimals: 18,
      confirmations: 3,
      rpcUrl: anvil.url,
      pollMs: 100,
    });
    ground = await layScanGround(chain);
  });
  afterAll(async () => {
    await ground.stop();
    await anvil.stop();
  });

  test('says what to send, what came wrong, and how deep the transfer is', async () => {
    await ground.scan();
    const [from, to] = [account(1), account(2)];
    const { token } = await ground.start({
      asset: 'ETH',
      address: from,
      satoshiFlow: { depositAddress: to, amount: '0.5' },
    });
    await ground.scan();
    expect((await shown(token ?? '')).satoshiFlow).toEqual({
      amount: '0.5',
      depositAddress: to,
      deadlineAt: expect.any(String) as string,
      paymentUri: `ethereum:${to}@31337?value=500000000000000000`,
      confirmationsNeeded: 3,
      transfer: null,
      nearMisses: [],
    });

    await anvil.send({ from, to, value: parseEther('0.4') });
    await anvil.mine(3);
    await ground.scan();
    await ground.scan();
    expect((await shown(token ?? '')).satoshiFlow.nearMisses).toEqual(['WRONG_AMOUNT']);

    const transactionHash = await anvil.send({ from, to, value: parseEther('0.5') });
    await anvil.mine(1);
    await ground.scan();
    expect((await shown(token ?? '')).satoshiFlow.transfer).toEqual({ transactionHash, confirmations: 1 });
    await anvil.mine(1);
    await ground.scan();
    expect((await shown(token ?? '')).satoshiFlow.transfer).toEqual({ transactionHash, confirmations: 2 });
    await anvil.mine(1);
    await ground.scan();
    expect((await shown(token ?? '')).status).toBe('VERIFIED');
  });
});
