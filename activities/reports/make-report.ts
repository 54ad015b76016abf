import { ApplicationFailure } from '@temporalio/common';
import { createHash } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import {
  beginReport,
  storeReport,
  type ReportAttempt,
  type UnmadeReport,
} from '../../db/reports/store-report.ts';
import { readPeriod } from '../../db/transactions/read-period.ts';
import { sealingContext } from '../../db/vault/contexts.ts';
import { sealStream } from '../../db/vault/sealed-stream.ts';
import { boundsOf } from '../../domain/reports/month.ts';
import { startTally } from '../../domain/reports/tally.ts';
import type { Storage } from '../../storage/storage.ts';
import { reportCsv } from './report-csv.ts';

export interface ReportDeps {
  db: Database;
  storage: Storage;
  now: () => Date;
}

/**
 * Writes the file of a report into the storage, then makes it the report of its month. What an earlier attempt left in the
 * storage is deleted first. Throws ApplicationFailure when another attempt has begun meanwhile.
 */
export async function makeReportFile(
  { db, storage, now }: ReportDeps,
  unmade: UnmadeReport,
  signal: AbortSignal,
): Promise<{ rows: number }> {
  if (unmade.leftObjectKey !== null) await storage.delete(unmade.leftObjectKey);
  const attempt = await beginReport(db, unmade);
  if (!attempt) throw anotherAttempt();
  const generatedAt = now();
  const content = await writeFile({ db, storage }, attempt, signal);
  if (await storeReport(db, attempt, content, generatedAt)) return content;
  await storage.delete(attempt.objectKey);
  throw anotherAttempt();
}

function anotherAttempt(): ApplicationFailure {
  return ApplicationFailure.retryable('Another attempt at this report has begun.', 'ANOTHER_ATTEMPT');
}

async function writeFile(
  { db, storage }: Pick<ReportDeps, 'db' | 'storage'>,
  attempt: ReportAttempt,
  signal: AbortSignal,
) {
  const { tenantId, objectKey, key } = attempt;
  const tally = startTally();
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const csv = reportCsv(readPeriod(db, { tenantId, ...boundsOf(attempt) }), tally, signal);
  const measured = async function* () {
    for await (const bytes of csv) {
      hash.update(bytes);
      sizeBytes += bytes.length;
      yield bytes;
    }
  };
  await storage.put(
    objectKey,
    sealStream(key, sealingContext.report.content(tenantId, objectKey), measured()),
  );
  return { rows: tally.rows(), totals: tally.totals(), sizeBytes, sha256: hash.digest('hex') };
}
