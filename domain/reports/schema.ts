import { z } from 'zod';
import { Month } from './month.ts';

const Volume = z.string().describe('Exact decimal. Transactions without a price are not part of it.');

const DirectionTotals = z
  .strictObject({
    transactions: z.int().describe('Number of transactions.'),
    volumeUsd: Volume,
    volumeEur: Volume,
    unvalued: z.int().describe('Transactions without a value in US dollars or euros.'),
  })
  .meta({ id: 'DirectionTotals' });
export type DirectionTotals = z.infer<typeof DirectionTotals>;

const ofStatus = z.int().describe('Transactions that had this status at `generatedAt`.');

/** The totals of a report, over its rows. */
const ReportTotals = z
  .strictObject({
    byDirection: z
      .strictObject({
        OUTGOING: DirectionTotals.describe('Transactions that the tenant sent.'),
        INCOMING: DirectionTotals.describe('Transactions that the tenant received.'),
      })
      .describe('Number and volume by direction.'),
    byStatus: z
      .strictObject({
        PENDING: ofStatus,
        DELIVERED: ofStatus,
        CONFIRMED: ofStatus,
        DECLINED: ofStatus,
        FAILED: ofStatus,
        CANCELLED: ofStatus,
      })
      .describe('Number by status.'),
  })
  .meta({ id: 'ReportTotals' });
export type ReportTotals = z.infer<typeof ReportTotals>;

/** A monthly report in responses. */
export const MonthlyReport = z
  .strictObject({
    month: Month.describe('Calendar month in `timeZone`, as YYYY-MM.'),
    rows: z.int().describe('Transactions in the file; its header is not counted.'),
    totals: ReportTotals.describe('Totals of the rows.'),
    sizeBytes: z.int().describe('Size of the file in bytes.'),
    sha256: z.string().describe('SHA-256 of the file, in hex.'),
    generatedAt: z.iso.datetime().describe('The file shows the transactions as they were then.'),
    timeZone: z.string().describe('The time zone in which the month begins and ends; an IANA name.'),
    downloadEndpoint: z.string().describe('Path of the endpoint that makes a link to the file.'),
  })
  .meta({ id: 'MonthlyReport' });
export type MonthlyReport = z.infer<typeof MonthlyReport>;

/** A report that is still being made. */
export const PendingReport = z
  .strictObject({
    month: Month.describe('Calendar month, as YYYY-MM.'),
    state: z.literal('MAKING').describe('The report is still being made.'),
    downloadEndpoint: z.string().describe('Path of the endpoint that makes a link to the file.'),
  })
  .meta({ id: 'PendingReport' });

/** The path of the endpoint that makes a link to the report of a month. */
export function downloadEndpointOf(month: string): string {
  return `/tenant/me/reports/${month}/download-url`;
}

/** A link under which a report can be fetched for a short time. */
export const ReportLink = z
  .strictObject({
    url: z.string().describe('Needs no key: anybody who has it can fetch the file until it expires.'),
    expiresAt: z.iso.datetime().describe('When the link ends.'),
  })
  .meta({ id: 'ReportLink' });
