import type { PersonalData, TransactionRecord } from './record.ts';

/** The message that a record sends to the other VASP: the transfer and its parties. */
export type SentData = Pick<
  PersonalData,
  'originator' | 'beneficiary' | 'additionalOriginators' | 'vaspInfo'
> &
  Pick<TransactionRecord, (typeof SENT_FIELDS)[number]>;

const SENT_FIELDS = [
  'asset',
  'amount',
  'blockchain',
  'transactionHash',
  'origin',
  'originTag',
  'originType',
  'destination',
  'destinationTag',
  'destinationType',
] as const satisfies readonly (keyof TransactionRecord)[];

/** The part of a record that is sent: neither the tenant's own notes nor what was derived from the data. */
export function sentData(record: TransactionRecord): SentData {
  const { originator, beneficiary, additionalOriginators, vaspInfo } = record.personal;
  const transfer = Object.fromEntries(SENT_FIELDS.map((field) => [field, record[field]])) as Pick<
    SentData,
    (typeof SENT_FIELDS)[number]
  >;
  return { ...transfer, originator, beneficiary, additionalOriginators, vaspInfo };
}
