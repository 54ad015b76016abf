import type { ReleaseDeps } from '../../transaction-screening/release-records.ts';
import type { TestApi } from '../api-client.ts';

/** The product's two seconds are not enough on a machine that does other work, and what is left to workflows nobody does. */
const RELEASE_LIMIT_MS = 30_000;

/** What releases records, without outside providers. What their workflows would be told is kept in `api.outbox`. */
export function releaseDeps(
  api: TestApi,
  overrides: Partial<ReleaseDeps> = {},
): ReleaseDeps & { releaseLimitMs: number } {
  return {
    db: api.db,
    sanctions: api.deps.subjects,
    aml: api.deps.aml,
    walletIntelligence: { db: api.db, observeWallet: api.deps.observeWallet },
    canObserve: () => false,
    notifyWorkflows: (entries) => void api.outbox.push(...entries),
    report: (step, error) => {
      throw new Error(`${step} failed`, { cause: error });
    },
    now: () => new Date(),
    releaseLimitMs: RELEASE_LIMIT_MS,
    ...overrides,
  };
}
