import type { Client } from '@temporalio/client';
import type pg from 'pg';
import { ensureSchedules } from '../../worker/schedules.ts';
import { workflowId } from '../../workflows/contract.ts';
import type { Json } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import { recordRun } from '../record-history.ts';
import type { TestSystem } from '../system.ts';
import { TEMPORAL_MS } from '../temporal.ts';

const DAY_MS = 24 * 3_600_000;

/** Every row of every table as text, as a dump has it, but for the published sanctions lists. */
export async function dumpOf(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_name not like 'sanctions%'`,
  );
  const parts: string[] = [];
  for (const { name } of rows) {
    const found = await pool.query<{ text: string | null }>(
      `select string_agg(r::text, e'\\n') as text from ${name} r`,
    );
    parts.push(`${name}\n${found.rows[0]?.text ?? ''}`);
  }
  return parts.join('\n').toLowerCase();
}

/** What runs of workflows have seen, and what operators can search by. */
export async function historiesOf(client: Client): Promise<string> {
  const parts: string[] = [];
  for await (const { workflowId: id, runId, typedSearchAttributes } of client.workflow.list()) {
    const history = await client.workflow.getHandle(id, runId).fetchHistory();
    parts.push(JSON.stringify(typedSearchAttributes));
    parts.push(
      JSON.stringify(history, (_, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString() : value,
      ),
    );
  }
  return parts.join('\n').toLowerCase();
}

/** Those of the texts that a dump or a history contains, in clear or as the hexadecimal digits of a bytea. */
export function foundIn(text: string, planted: readonly string[]): string[] {
  return planted
    .flatMap((needle) => [needle, Buffer.from(needle).toString('hex')])
    .filter((needle) => text.includes(needle.toLowerCase()));
}

/** Runs the retention as of now and some days, and returns its report. */
export async function runRetention({ client, clock }: TestSystem, days: number): Promise<Json> {
  await ensureSchedules(client, [], TEMPORAL_MS);
  clock.offsetMs = days * DAY_MS;
  const schedule = client.schedule.getHandle(workflowId('retention'));
  const ended = async () => (await schedule.describe()).info.recentActions.length;
  const before = await ended();
  await schedule.trigger();
  await eventually(ended, (count) => count > before);
  const { recentActions } = (await schedule.describe()).info;
  const id = recentActions.at(-1)?.action.workflow.workflowId ?? '';
  const report = (await client.workflow.getHandle(id).result()) as Json;
  await recordRun(client, id, { type: 'retention', name: 'erased' });
  return report;
}
