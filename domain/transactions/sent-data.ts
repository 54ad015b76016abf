import type { PersonalData, TransactionRecord } from './record.ts';

/** The personal data of a record that is sent to the other VASP. */
export type SentData = Pick<
  PersonalData,
  'originator' | 'beneficiary' | 'additionalOriginators' | 'vaspInfo'
>;

/** The part of a record's personal data that is sent. */
export function sentData({ personal }: TransactionRecord): SentData {
  const { originator, beneficiary, additionalOriginators, vaspInfo } = personal;
  return { originator, beneficiary, additionalOriginators, vaspInfo };
}
