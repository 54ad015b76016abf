import { parse } from 'csv-parse/sync';
import { reportableMonths } from '../../domain/reports/month.ts';
import type { TestApi } from '../api-client.ts';
import { createTransaction } from './transaction.ts';
import type { Client } from './tenant.ts';

/** A month that can be reported in UTC: the latest one, or the one `earlier` months before it. */
export function reportableMonth(earlier = 0): string {
  return reportableMonths('UTC', new Date(0), new Date()).at(-1 - earlier) ?? '';
}

/** A transaction as if it had been created at this time. Returns its id. */
export async function createdAt(
  { db }: Pick<TestApi, 'db'>,
  tenant: Client,
  time: string,
  overrides: Parameters<typeof createTransaction>[1] = {},
): Promise<string> {
  const { id } = await createTransaction(tenant, overrides);
  await db.pool.query('update transactions set created_at = $2 where id = $1', [id, time]);
  return id;
}

/** A downloaded report. */
interface DownloadedReport {
  text: string;
  bytes: Buffer;
  headers: Headers;
  lines: Record<string, string>[];
}

/** A new link to the report of a month, at the address of this api. */
export async function linkTo({ url }: Pick<TestApi, 'url'>, tenant: Client, month: string): Promise<string> {
  const { body } = await tenant.get<{ url: string }>(`/tenant/me/reports/${month}/download-url`);
  return url + new URL(body.url).pathname;
}

/** Fetches the report of a month by its link, without a key. */
export async function download(
  api: Pick<TestApi, 'url'>,
  tenant: Client,
  month: string,
): Promise<DownloadedReport> {
  const answer = await fetch(await linkTo(api, tenant, month));
  if (answer.status !== 200) throw new Error(`not downloaded: ${answer.status}`);
  const bytes = Buffer.from(await answer.arrayBuffer());
  const text = bytes.toString();
  return { text, bytes, headers: answer.headers, lines: parse(text, { columns: true }) };
}
