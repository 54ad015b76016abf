import type { TransactionRecord } from '../transactions/record.ts';

/** What is told of a decision: the status code and a neutral sentence. The tenant's own words stay with it. */
export function rejectedText({ statusReasonCode }: Pick<TransactionRecord, 'statusReasonCode'>): string {
  return `${statusReasonCode ?? 'OTHER'}: The beneficiary VASP does not accept the transfer.`;
}

/** What is told of a withdrawal. */
export function canceledText({ statusReasonCode }: Pick<TransactionRecord, 'statusReasonCode'>): string {
  return `${statusReasonCode ?? 'OTHER'}: The originator VASP has withdrawn the transfer.`;
}

const CODE = /^([A-Z_]{1,40}):/;

/** The code at the beginning of a refusal that a Waybill has written, of those that are `known`; else OTHER. */
export function reasonCodeIn<Code extends string>(text: string, known: readonly Code[]): Code | 'OTHER' {
  const code = CODE.exec(text)?.[1];
  return known.find((each) => each === code) ?? 'OTHER';
}
