import { scanRound, type ScanStep } from '../../activities/blockchain/scan-activities.ts';
import { openNode } from '../../chains/open-node.ts';
import type { ConfiguredChain } from '../../chains/chains-file.ts';
import { readChains } from '../../chains/chains-file.ts';
import { registerBlockchains } from '../../domain/blockchains.ts';
import type { WalletVerification } from '../../domain/verifications/schema.ts';
import { startTestApi, type Json } from '../api-client.ts';
import { testDatabase } from '../database.ts';
import { createTenant } from '../factories/tenant.ts';

/** A chain as CHAINS_FILE would have it. */
export function chainOf(entry: Json): ConfiguredChain {
  const { chains, faults } = readChains(JSON.stringify([entry]));
  const [chain] = chains;
  if (!chain || faults.length > 0) throw new Error(JSON.stringify(faults));
  return chain;
}

/** The api with this chain, which becomes known to the test file, a tenant, and a scanner that looks when it is told to. */
export async function layScanGround(chain: ConfiguredChain) {
  const takeBack = registerBlockchains([chain]);
  const database = await testDatabase();
  const api = await startTestApi(database, { config: { chains: [chain] } });
  const tenant = await createTenant(api);
  const clock = { offsetMs: 0 };
  const deps = {
    db: api.db,
    notifyWorkflows: () => undefined,
    now: () => new Date(Date.now() + clock.offsetMs),
  };
  const node = openNode(chain);
  const get = async (id: string) => (await tenant.get<WalletVerification>(`/wallet-verification/${id}`)).body;
  const submit = async (id: string) =>
    await tenant.post<WalletVerification>(`/wallet-verification/${id}/verification`, {
      verificationFlow: 'SATOSHI_TEST',
    });
  return {
    api,
    tenant,
    clock,
    node,
    scan: async (by = node): Promise<ScanStep> => await scanRound(deps, chain, by),
    get,
    submit,
    /** A new verification whose owner has said that a transfer is on its way. */
    start: async (body: Json): Promise<WalletVerification> => {
      const made = await tenant.post<WalletVerification>('/wallet-verification', {
        blockchain: chain.name,
        allowedFlows: ['SATOSHI_TEST'],
        ...body,
      });
      if (made.status !== 201) throw new Error(JSON.stringify(made.body));
      return (await submit(made.body.id)).body;
    },
    stop: async () => {
      await api.stop();
      takeBack();
      await database.drop();
    },
  };
}

export type ScanGround = Awaited<ReturnType<typeof layScanGround>>;
