import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchTenant } from './product.ts';
import { watchMemory } from './resident-memory.ts';

const POLL_MS = 200;

interface MadeExport {
  id: string;
  status: string;
  rows: number;
  sizeBytes: number;
  sha256: string;
}

/** What an export of all transactions did to the processes. */
interface ExportGrowth {
  rows: number;
  sizeBytes: number;
  seconds: number;
  workerMb: number;
  apiMb: number;
}

/** Has all transactions of a tenant exported as CSV and fetches the file, and watches how much worker and api grow. */
export async function measureExport(
  tenant: BenchTenant,
  { api, worker }: { api: { url: string; pid: number }; worker: { pid: number } },
): Promise<ExportGrowth> {
  // Loads the code of both ways before memory is compared.
  await downloaded(api.url, tenant, await made(tenant, { until: '2000-01-01T00:00:00Z' }));
  const ofWorker = watchMemory(worker.pid);
  const startedMs = performance.now();
  const { rows, sizeBytes, ...file } = await made(tenant, {});
  const seconds = (performance.now() - startedMs) / 1_000;
  const workerMb = ofWorker();
  const ofApi = watchMemory(api.pid);
  const sha256 = await downloaded(api.url, tenant, file);
  const apiMb = ofApi();
  if (sha256 !== file.sha256) throw new Error('the export is not whole');
  return { rows, sizeBytes, seconds, workerMb, apiMb };
}

async function made({ api }: BenchTenant, filter: { until?: string }): Promise<MadeExport> {
  const { id } = await api.post<MadeExport>('/exports', {
    resource: 'transactions',
    format: 'CSV',
    filter,
    purpose: 'Bench.',
  });
  for (;;) {
    const shown = await api.get<MadeExport>(`/exports/${id}`);
    if (shown.status === 'READY') return shown;
    if (shown.status === 'FAILED') throw new Error('the export failed');
    await delay(POLL_MS);
  }
}

/** The SHA-256 of the file that somebody gets, in hex. */
async function downloaded(apiUrl: string, { api }: BenchTenant, { id }: { id: string }): Promise<string> {
  const { url } = await api.get<{ url: string }>(`/exports/${id}/download-url`);
  const answer = await fetch(apiUrl + new URL(url).pathname);
  if (!answer.ok || !answer.body) throw new Error(`the download was answered ${answer.status}`);
  const hash = createHash('sha256');
  for await (const bytes of answer.body) hash.update(bytes as Uint8Array);
  return hash.digest('hex');
}
