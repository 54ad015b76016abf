import { addDecimals } from '../decimal.ts';
import type { TransactionRecord } from '../transactions/record.ts';
import type { DirectionTotals, ReportTotals } from './schema.ts';

type CountedTransaction = Pick<TransactionRecord, 'direction' | 'status' | 'amountUsd' | 'amountEur'>;

/** Counts the rows of a report while they are written. */
export interface ReportTally {
  count: (record: CountedTransaction) => void;
  rows: () => number;
  totals: () => ReportTotals;
}

/** Starts to count; volumes are exact sums. */
export function startTally(): ReportTally {
  let rows = 0;
  const totals: ReportTotals = {
    byDirection: { OUTGOING: noTransactions(), INCOMING: noTransactions() },
    byStatus: { PENDING: 0, DELIVERED: 0, CONFIRMED: 0, DECLINED: 0, FAILED: 0, CANCELLED: 0 },
  };
  return {
    count(record) {
      rows += 1;
      totals.byStatus[record.status] += 1;
      addTo(totals.byDirection[record.direction], record);
    },
    rows: () => rows,
    totals: () => totals,
  };
}

function addTo(totals: DirectionTotals, { amountUsd, amountEur }: CountedTransaction): void {
  totals.transactions += 1;
  if (amountUsd === null || amountEur === null) totals.unvalued += 1;
  if (amountUsd !== null) totals.volumeUsd = addDecimals(totals.volumeUsd, amountUsd);
  if (amountEur !== null) totals.volumeEur = addDecimals(totals.volumeEur, amountEur);
}

function noTransactions(): DirectionTotals {
  return { transactions: 0, volumeUsd: '0', volumeEur: '0', unvalued: 0 };
}
