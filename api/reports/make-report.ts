import { setTimeout as delay } from 'node:timers/promises';
import { inTransaction } from '../../db/postgres.ts';
import { findQueuedReport, type QueuedReport } from '../../db/reports/find-reports.ts';
import { queueReport } from '../../db/reports/queue-reports.ts';
import { getTenantSettings } from '../../db/tenants/get-tenant-settings.ts';
import { DomainError } from '../../domain/errors.ts';
import { requireReportable } from '../../domain/reports/month.ts';
import { downloadEndpointOf, MonthlyReport, PendingReport } from '../../domain/reports/schema.ts';
import type { Deps } from '../deps.ts';
import { defineEndpoint } from '../endpoint.ts';
import { MonthParams } from './month-param.ts';

const FIRST_POLL_MS = 10;
const SLOWEST_POLL_MS = 1_000;

export const makeReportEndpoint = defineEndpoint({
  operationId: 'makeReport',
  method: 'POST',
  path: '/tenant/me/reports/{ym}',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'LEASE',
  tag: 'Reports',
  summary: 'Make the report of a month',
  description:
    'Makes the report of one of the latest 36 months that are over, also of one without transactions, and replaces an ' +
    'earlier one once it is whole. If the report of the month is already being made, the request joins that. A report that ' +
    'takes longer than 25 seconds is 202: it appears in the list. 400 for a month that is not over, or too old.',
  params: MonthParams,
  responses: {
    201: { description: 'Made.', schema: MonthlyReport },
    202: { description: 'Still being made.', schema: PendingReport },
  },
  errors: [],
  async handle({ params, caller: { tenantId } }, deps) {
    const now = new Date();
    const { timeZone } = await getTenantSettings(deps.db.pool, tenantId);
    const month = requireReportable(params.ym, timeZone, now);
    const queue = { tenantId, month, timeZone };
    const { id, outbox } = await deps.writeInTurn(
      tenantId,
      async () => await inTransaction(deps.db.pool, async (tx) => await queueReport(tx, queue, now)),
    );
    deps.notifyWorkflows(outbox);
    const queued = await waitForReport(deps, tenantId, id);
    if (queued.state === 'GONE') throw notMade();
    if (queued.state === 'STORED') return { status: 201, body: queued.report };
    return { status: 202, body: { month, state: 'MAKING', downloadEndpoint: downloadEndpointOf(month) } };
  },
});

function notMade(): DomainError {
  return new DomainError('temporarily_unavailable', 'The report could not be made.', {
    retryAfterSeconds: 30,
  });
}

/** Waits for the end of a queued report, at most `reportLimitMs`. */
async function waitForReport(
  { db, readInTurn, reportLimitMs }: Deps,
  tenantId: string,
  id: string,
): Promise<QueuedReport> {
  const until = Date.now() + reportLimitMs;
  for (let waitMs = FIRST_POLL_MS; ; waitMs = Math.min(waitMs * 2, SLOWEST_POLL_MS)) {
    const queued = await readInTurn(tenantId, async () => await findQueuedReport(db.pool, tenantId, id));
    if (queued.state !== 'MAKING' || Date.now() > until) return queued;
    await delay(waitMs);
  }
}
