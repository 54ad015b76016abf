import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { lastingPort } from '../lasting-port.ts';
import { projectRoot } from '../../standalone/project-root.ts';
import { testDatabase, type TestDatabase } from '../database.ts';
import { eventually } from '../eventually.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => await database.drop());

test('a worker with METRICS_PORT tells its own figures, the database’s and those of the Temporal SDK', async () => {
  const port = await lastingPort();
  const worker = spawn(process.execPath, [join(projectRoot, 'dist/worker/main.js')], {
    env: {
      PATH: process.env['PATH'],
      METRICS_PORT: String(port),
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: process.env['WAYBILL_TEST_TEMPORAL'],
      TEMPORAL_NAMESPACE: `metrics-${randomBytes(6).toString('hex')}`,
      MASTER_KEY: randomBytes(32).toString('hex'),
    },
    stdio: 'ignore',
  });
  const ended = once(worker, 'exit');
  try {
    const scrape = async () =>
      await fetch(`http://127.0.0.1:${port}/metrics`).then(
        async (answer) => (answer.ok ? await answer.text() : ''),
        () => '',
      );
    const text = await eventually(scrape, (told) => told.includes('temporal_worker_task_slots_available'));
    expect(text).toContain('waybill_database_up 1');
    expect(text).toContain('waybill_outbox_rows 0');
    expect(text).toContain('nodejs_eventloop_lag_seconds');
    expect(text).toContain('temporal_num_pollers');
  } finally {
    worker.kill('SIGTERM');
  }
  expect(await ended).toEqual([0, null]);
});
