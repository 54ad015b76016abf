import { requireStoredReport } from '../../db/reports/find-reports.ts';
import { makeMinuteLink } from '../../db/vault/minute-link.ts';
import { requireMonth } from '../../domain/reports/month.ts';
import { ReportLink } from '../../domain/reports/schema.ts';
import { apiUrlOf } from '../../process/settings.ts';
import { defineEndpoint } from '../endpoint.ts';
import { MonthParams } from './month-param.ts';

export const getReportUrlEndpoint = defineEndpoint({
  operationId: 'getReportUrl',
  method: 'GET',
  path: '/tenant/me/reports/{ym}/download-url',
  auth: 'TENANT',
  permission: 'EXPORT',
  limit: 'READS',
  tag: 'Reports',
  summary: 'Get a link to a report',
  description:
    'The link is valid for 60 seconds. 404 when there is no report of the month; a text that is no month is 400.',
  params: MonthParams,
  responses: { 200: { description: 'The link.', schema: ReportLink } },
  errors: [],
  async handle({ params, caller }, { db, settings }) {
    const id = await requireStoredReport(db.pool, caller.tenantId, requireMonth(params.ym));
    const { token, expiresAt } = makeMinuteLink(db.vault, { what: 'report', id }, new Date());
    const url = `${apiUrlOf(settings)}/reports/${token}`;
    return { status: 200, body: { url, expiresAt: expiresAt.toISOString() } };
  },
});
