import type { Endpoint } from '../endpoint.ts';
import { downloadReportEndpoint } from './download-report.ts';
import { getReportUrlEndpoint } from './get-report-url.ts';
import { listReportsEndpoint } from './list-reports.ts';
import { makeReportEndpoint } from './make-report.ts';

/** Monthly reports, in the order of the reference. */
export const reportEndpoints: readonly Endpoint[] = [
  listReportsEndpoint,
  getReportUrlEndpoint,
  makeReportEndpoint,
  downloadReportEndpoint,
];
