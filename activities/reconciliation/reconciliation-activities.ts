import { Context } from '@temporalio/activity';
import type { Database } from '../../db/database.ts';
import { findClaimRoutes } from '../../db/lifecycle/find-claim-routes.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import { findNewGaps, tenantsToReconcile } from '../../db/reconciliation/find-new-gaps.ts';
import { NoTenantKeys } from '../../db/vault/tenant-keys.ts';

const PAGE = 100;

interface ReconciliationDeps {
  db: Database;
  /** Whether mails reach somebody. */
  sendsMails: boolean;
  now: () => Date;
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
}

/** The activity of `transferReconciliation`. A repeat announces nothing twice. */
export function reconciliationActivities(deps: ReconciliationDeps) {
  const { db, now, notifyWorkflows } = deps;
  return {
    /**
     * Announces what the next tenants after `after` newly lack, and looks for routes of their claims that have reached nobody;
     * null stands for the first, and for none that is left.
     */
    async announceGaps({
      after,
    }: {
      after: string | null;
    }): Promise<{ found: number; after: string | null }> {
      const tenants = await tenantsToReconcile(db.pool, after, PAGE);
      let found = 0;
      for (const tenantId of tenants) {
        const result = await unlessErased(async () => {
          await lookForRoutes(deps, tenantId);
          return await findNewGaps(db, tenantId, now());
        });
        notifyWorkflows(result?.outbox ?? []);
        found += result?.found ?? 0;
        Context.current().heartbeat();
      }
      return { found, after: tenants.length < PAGE ? null : (tenants.at(-1) ?? null) };
    },
  };
}

async function lookForRoutes({ db, sendsMails, now }: ReconciliationDeps, tenantId: string): Promise<void> {
  let afterId: string | null = null;
  do {
    afterId = await findClaimRoutes(db, { tenantId, afterId, sendsMails, now: now() });
    Context.current().heartbeat();
  } while (afterId !== null);
}

async function unlessErased<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NoTenantKeys) return undefined;
    throw error;
  }
}
