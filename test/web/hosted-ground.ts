import type { Browser, BrowserContextOptions } from 'playwright-core';
import { startBrowser } from '../factories/browser.ts';
import { hostedAddress, openBrowser, type HostedBrowser } from '../factories/hosted-browser.ts';
import type { TestTenant } from '../factories/tenant.ts';
import { createVerification, evmWallet, type WalletVerification } from '../factories/verification.ts';
import type { Json, TestApi } from '../api-client.ts';
import type { TestDatabase } from '../database.ts';
import { fileChains } from '../chains/file-chains.ts';
import { chainOf } from '../chains/scan-ground.ts';
import { useApi, useTenant } from '../use-api.ts';

const ALL_FLOWS = ['SIGNATURE_PROOF', 'SATOSHI_TEST', 'VISUAL_PROOF', 'SELF_DECLARED'];

export interface HostedGround {
  api: TestApi;
  database: TestDatabase;
  tenant: TestTenant;
  /** A verification that allows every proof. */
  create: (overrides?: Json) => Promise<WalletVerification>;
  /** A new browser window at the link of a verification. */
  open: (made: { token: string }, options?: BrowserContextOptions) => Promise<HostedBrowser>;
  /** Puts a transfer of the satoshi test into a block, this deep. */
  confirm: (made: { id: string }, confirmations: number) => Promise<void>;
}

/** The api with two chains whose nodes nobody asks, a tenant, and a browser, for the tests of one file. */
export function useHostedGround(): HostedGround {
  const registerChains = fileChains();
  const { api, database } = useApi(() => {
    const chains = [
      chainOf({
        confirmations: 12,
        rpcUrl: NOWHERE,
        name: 'Ethereum',
        caip2: 'eip155:1',
        kind: 'EVM',
        nativeAsset: 'ETH',
        decimals: 18,
      }),
      chainOf({
        name: 'Bitcoin',
        caip2: 'bip122:000000000019d6689c085ae165831e93',
        kind: 'BITCOIN',
        nativeAsset: 'BTC',
        decimals: 8,
        esploraUrl: NOWHERE,
      }),
    ];
    registerChains(chains);
    return { config: { RATE_LIMIT_HOSTED: 0, chains } };
  });
  const tenant = useTenant(api, { name: 'Alpine Exchange' });
  let browser: Browser;
  const opened: HostedBrowser[] = [];
  beforeAll(async () => void (browser = await startBrowser()));
  afterEach(async () => {
    for (const { context } of opened.splice(0)) await context.close();
  });
  afterAll(async () => await browser.close());
  return {
    api,
    database,
    tenant,
    create: async (overrides = {}) =>
      await createVerification(tenant, {
        allowedFlows: ALL_FLOWS,
        ...(overrides['allowedFlows'] === undefined && {
          satoshiFlow: { depositAddress: evmWallet().address },
        }),
        ...overrides,
      }),
    async open(made, options) {
      const window = await openBrowser(browser, api.url, options);
      opened.push(window);
      await window.page.goto(hostedAddress(api.url, made));
      await window.page.getByRole('heading', { level: 2 }).first().waitFor();
      return window;
    },
    confirm: async ({ id }, confirmations) => await putIntoBlock(database, id, confirmations),
  };
}

/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:1';
const TIP = 1_000;

async function putIntoBlock({ pool }: TestDatabase, id: string, confirmations: number): Promise<void> {
  const { rows } = await pool.query<{ tenant_id: string; chain: string }>(
    'select tenant_id, chain from satoshi_watches where verification_id = $1',
    [id],
  );
  const { tenant_id: tenantId, chain } = rows[0] ?? {};
  await pool.query(
    `insert into chain_cursors (chain, height, hash, block_time, updated_at) values ($1, $2, '0x1', now(), now())
     on conflict do nothing`,
    [chain, TIP],
  );
  await pool.query('delete from chain_observations where verification_id = $1', [id]);
  await pool.query(
    `insert into chain_observations (verification_id, tenant_id, chain, transaction_hash, position, verdict, is_claim,
       height, block_hash, block_time, state)
     values ($1, $2, $3, $4, 0, 'PROVEN', true, $5, '0x1', now(), 'SEEN')`,
    [id, tenantId, chain, `0x${id.replaceAll('-', '').repeat(2)}`, TIP - confirmations + 1],
  );
}
