import { z } from 'zod';
import { listReports } from '../../db/reports/find-reports.ts';
import { MonthlyReport } from '../../domain/reports/schema.ts';
import { defineEndpoint } from '../endpoint.ts';

export const listReportsEndpoint = defineEndpoint({
  operationId: 'listReports',
  method: 'GET',
  path: '/tenant/me/reports',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Reports',
  summary: 'List monthly reports',
  description:
    'Newest month first, at most 36. The report of a month is made within an hour or so after its end in the time zone of ' +
    'the tenant (`timeZone` in the settings).',
  responses: { 200: { description: 'The reports of the latest months.', schema: z.array(MonthlyReport) } },
  errors: [],
  async handle({ caller }, { db }) {
    return { status: 200, body: await listReports(db.pool, caller.tenantId) };
  },
});
