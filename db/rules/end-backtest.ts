import type { BacktestStatus } from '../../domain/rules/backtest.ts';
import type { Queryable } from '../postgres.ts';

/** Ends a running back-test and keeps its counts; one that has ended stays as it is. */
export async function endBacktest(
  db: Queryable,
  tenantId: string,
  id: string,
  status: Exclude<BacktestStatus, 'RUNNING'>,
): Promise<void> {
  await db.query(
    `update rule_backtests set status = $3, wake_at = null, finished_at = now()
     where tenant_id = $1 and id = $2 and status = 'RUNNING'`,
    [tenantId, id, status],
  );
}

/** Deletes a back-test of this configuration, running or not. False when there is none. */
export async function deleteBacktest(
  db: Queryable,
  { tenantId, configurationId }: { tenantId: string; configurationId: string },
  id: string,
): Promise<boolean> {
  const { rowCount } = await db.query(
    'delete from rule_backtests where tenant_id = $1 and configuration_id = $2 and id = $3',
    [tenantId, configurationId, id],
  );
  return rowCount === 1;
}
