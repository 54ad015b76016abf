import type { ReleaseDeps } from '../../transaction-screening/release-records.ts';
import type { TestApi } from '../api-client.ts';

/** What releases records, without outside providers. What their workflows would be told is kept in `api.outbox`. */
export function releaseDeps(api: TestApi, overrides: Partial<ReleaseDeps> = {}): ReleaseDeps {
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
    ...overrides,
  };
}
