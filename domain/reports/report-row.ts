import type { TransactionRecord } from '../transactions/record.ts';
import { subStatusOf } from '../transactions/sub-status.ts';

/** A transaction of a report, and the name of its counterparty in the entity directory. */
export interface ReportedTransaction {
  record: TransactionRecord;
  directoryName: string | null;
}

type CellReader = (transaction: ReportedTransaction) => string | null;

/** The columns of a report in order. None of them is data of the originator or the beneficiary. */
const COLUMNS: Readonly<Record<string, CellReader>> = {
  id: ({ record }) => record.id,
  reference: ({ record }) => record.reference,
  direction: ({ record }) => record.direction,
  status: ({ record }) => record.status,
  subStatus: ({ record }) => subStatusOf(record),
  createdAt: ({ record }) => record.createdAt.toISOString(),
  updatedAt: ({ record }) => record.updatedAt.toISOString(),
  asset: ({ record }) => record.asset,
  amount: ({ record }) => record.amount,
  amountUsd: ({ record }) => record.amountUsd,
  amountEur: ({ record }) => record.amountEur,
  blockchain: ({ record }) => record.blockchain,
  transactionHash: ({ record }) => record.transactionHash,
  origin: ({ record }) => record.origin,
  destination: ({ record }) => record.destination,
  counterpartyName,
  messageSource: ({ record }) => record.messageSource,
};

/** The header of a report. */
export const REPORT_COLUMNS = Object.keys(COLUMNS);

const READERS = Object.values(COLUMNS);

/** The cells of one transaction; null is an empty cell. */
export function reportCells(transaction: ReportedTransaction): (string | null)[] {
  return READERS.map((read) => read(transaction));
}

/**
 * The name that the record gives to the other VASP, else its name in the directory. The given name of a sealed record is the
 * sender's own text and stays hidden.
 */
function counterpartyName({ record, directoryName }: ReportedTransaction): string | null {
  if (record.sealed) return directoryName;
  const { beneficiaryVaspName, originatorVaspName } = record.personal.vaspInfo;
  const given = record.direction === 'OUTGOING' ? beneficiaryVaspName : originatorVaspName;
  return given ?? directoryName;
}
