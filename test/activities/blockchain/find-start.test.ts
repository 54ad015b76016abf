import { evmNode } from '../../../chains/evm-node.ts';
import { findStart } from '../../../activities/blockchain/find-start.ts';
import type { BlockHead } from '../../../domain/chain-scan/block.ts';
import { describeWithAnvil, startAnvil, type Anvil } from '../../chains/anvil.ts';
import { chainOf } from '../../chains/scan-ground.ts';

let anvil: Anvil;
const BLOCKS = 45;

describeWithAnvil('where the scan of a chain begins', () => {
  beforeAll(async () => {
    anvil = await startAnvil();
    for (let block = 0; block < BLOCKS; block += 1) {
      await anvil.rpc('evm_increaseTime', [1 + ((block * 37) % 200)]);
      await anvil.mine();
    }
  });
  afterAll(async () => await anvil.stop());

  test('at the last block before the moment, whichever that is, in few calls', async () => {
    const node = evmNode(
      chainOf({
        name: 'Anvil',
        caip2: 'eip155:31337',
        kind: 'EVM',
        nativeAsset: 'ETH',
        decimals: 18,
        rpcUrl: anvil.url,
      }),
    );
    const heads: BlockHead[] = [];
    for (let height = 0; height <= BLOCKS; height += 1) {
      const head = await node.headAt(height);
      if (head) heads.push(head);
    }
    expect(heads).toHaveLength(BLOCKS + 1);
    let calls = 0;
    const counted = {
      ...node,
      headAt: async (height: number) => {
        calls += 1;
        return await node.headAt(height);
      },
    };
    for (const { height, time } of heads.slice(1)) {
      calls = 0;
      expect((await findStart(counted, BLOCKS, time)).height).toBe(height - 1);
      expect(calls).toBeLessThanOrEqual(13);
    }
    const [first, last] = [heads[0], heads.at(-1)];
    expect(await findStart(node, BLOCKS, new Date(0))).toEqual(first);
    expect(await findStart(node, BLOCKS, new Date(8e12))).toEqual(last);
  });
});
