import { workflowId } from '../../workflows/contract.ts';
import { eventually } from '../eventually.ts';
import { ALL_TIME, decidedTransactions, type BacktestView } from '../factories/backtests.ts';
import { configurations, rule } from '../factories/rules.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { recordHistory } from '../record-history.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

let system: TestSystem;
let tenant: TestTenant;
let id: string;
beforeAll(async () => {
  system = await startTestSystem({
    config: { RATE_LIMIT_WRITES: 0 },
    activities: { backtestPage: 2 },
    // What the api tells at once is left out, so that the relay has to do it.
    deps: { notifyWorkflows: () => undefined },
  });
  tenant = await createTenant(system);
  id = (await configurations(tenant)).OUTGOING.id;
  await decidedTransactions(system, tenant, ['1', '20000', '2', '30000', '3']);
});
afterAll(async () => await system.stop());

async function start(): Promise<BacktestView> {
  const body = { source: 'DRAFT', rules: [rule()], ...ALL_TIME };
  return (await tenant.post<BacktestView>(`/rule-engine/${id}/backtest`, body)).body;
}
const ended = async (backtestId: string) =>
  await eventually(
    async () => (await tenant.get<BacktestView>(`/rule-engine/${id}/backtests/${backtestId}`)).body,
    ({ status }) => status !== 'RUNNING',
  );

test('a back-test runs to its end without anybody asking; its history holds ids and counts only', async () => {
  const backtest = await start();
  expect(await ended(backtest.id)).toMatchObject({ status: 'COMPLETED', processed: 5, changed: 2 });
  expect(await system.client.workflow.getHandle(workflowId('ruleBacktest', backtest.id)).result()).toBe(
    'DONE',
  );
  await recordHistory(system.client, 'ruleBacktest', backtest.id, 'completed');
});

test('a step that fails is tried again behind the last page that was kept', async () => {
  await system.db.pool.query(`
    create table page_log (processed int);
    create function log_page() returns trigger language plpgsql as $$ begin
      if new.processed = 4 and not exists (select from page_log where processed = -1) then
        perform dblink_never_there(); end if;
      insert into page_log values (new.processed); return new; end $$;
    create trigger log_page before update of processed on rule_backtests for each row execute function log_page();
  `);
  const backtest = await start();
  await eventually(
    async () => system.workerLog.filter(({ activity }) => activity === 'tryNextTransactions').length,
    (failures) => failures > 0,
  );
  await system.db.pool.query('insert into page_log values (-1)');
  expect(await ended(backtest.id)).toMatchObject({ status: 'COMPLETED', processed: 5, changed: 2 });
  const { rows } = await system.db.pool.query<{ processed: number }>('select processed from page_log');
  expect(rows.map(({ processed }) => processed)).toEqual([2, -1, 4, 5]);
  await system.db.pool.query('drop trigger log_page on rule_backtests');
});

test('one whose start was lost is found by the sweep and finished', async () => {
  await system.db.pool.query(
    `create function lose_entry() returns trigger language plpgsql as $$ begin return null; end $$;
     create trigger lose_entry before insert on outbox for each row execute function lose_entry()`,
  );
  const backtest = await start();
  await system.db.pool.query('drop trigger lose_entry on outbox; drop function lose_entry()');
  await system.db.pool.query(
    `update rule_backtests set wake_at = now() - interval '2 minutes' where wake_at is not null`,
  );
  await system.sweep();
  expect(await ended(backtest.id)).toMatchObject({ status: 'COMPLETED', processed: 5 });
});
