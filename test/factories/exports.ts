import { createHash } from 'node:crypto';
import type { Json, TestApi } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import type { Client } from './tenant.ts';

export interface ShownExport extends Json {
  id: string;
  status: string;
  rows: number;
  sizeBytes: number;
  sha256: string;
}

/** Asks for an export, and waits until its file is made. */
export async function madeExport(client: Pick<Client, 'get' | 'post'>, body: Json): Promise<ShownExport> {
  const asked = await client.post<ShownExport>('/exports', {
    format: 'JSON',
    purpose: 'For a test.',
    ...body,
  });
  expect(asked).toMatchObject({ status: 202, body: { status: 'MAKING', rows: 0, sha256: null } });
  return await eventually(
    async () => (await client.get<ShownExport>(`/exports/${asked.body.id}`)).body,
    ({ status }) => status !== 'MAKING',
  );
}

/** The file of an export, which is what the export says it is. */
export async function fileOfExport(
  { url }: Pick<TestApi, 'url'>,
  client: Pick<Client, 'get'>,
  { id, sha256, sizeBytes }: ShownExport,
): Promise<string> {
  const link = await client.get<{ url: string }>(`/exports/${id}/download-url`);
  const answer = await fetch(url + new URL(link.body.url).pathname);
  expect(answer.status).toBe(200);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect([createHash('sha256').update(bytes).digest('hex'), bytes.length]).toEqual([sha256, sizeBytes]);
  return bytes.toString();
}
