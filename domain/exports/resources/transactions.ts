import { z } from 'zod';
import { DIRECTIONS } from '../../direction.ts';
import type { Party } from '../../parties/party.ts';
import type { TransactionRecord } from '../../transactions/record.ts';
import { STATUSES } from '../../transactions/state.ts';
import { subStatusOf } from '../../transactions/sub-status.ts';
import type { CsvColumns } from './csv-columns.ts';
import { exportFilter, someOf } from './period.ts';

/** Which transactions are exported. */
export const TransactionFilter = exportFilter('ExportTransactionFilter', {
  direction: z.enum(DIRECTIONS).optional().describe('Only this direction.'),
  status: someOf(STATUSES, 'statuses'),
});
export type TransactionFilter = z.output<typeof TransactionFilter>;

const PARTY_FIELDS = [
  'type',
  'name',
  'firstName',
  'lastName',
  'accountNumber',
  'customerIdentification',
  'address',
  'country',
  'dateOfBirth',
  'placeOfBirth',
  'nationalIdentificatorType',
  'nationalIdentificator',
  'lei',
] as const satisfies readonly (keyof Party)[];

/** The columns of a party. Of a sealed record its tenant must not see them. */
function partyColumns(side: 'originator' | 'beneficiary'): CsvColumns<TransactionRecord> {
  return PARTY_FIELDS.map((field) => [
    `${side}.${field}`,
    ({ sealed, personal }) => (sealed ? null : (personal[side]?.[field] ?? null)),
  ]);
}

/** The columns of transactions. Amounts are exact. */
export const TRANSACTION_COLUMNS: CsvColumns<TransactionRecord> = [
  ['id', ({ id }) => id],
  ['reference', ({ reference }) => reference],
  ['direction', ({ direction }) => direction],
  ['status', ({ status }) => status],
  ['subStatus', subStatusOf],
  ['statusReasonCode', ({ statusReasonCode }) => statusReasonCode],
  ['createdAt', ({ createdAt }) => createdAt.toISOString()],
  ['updatedAt', ({ updatedAt }) => updatedAt.toISOString()],
  ['asset', ({ asset }) => asset],
  ['amount', ({ amount }) => amount],
  ['amountUsd', ({ amountUsd }) => amountUsd],
  ['amountEur', ({ amountEur }) => amountEur],
  ['blockchain', ({ blockchain }) => blockchain],
  ['transactionHash', ({ transactionHash }) => transactionHash],
  ['origin', ({ origin }) => origin],
  ['destination', ({ destination }) => destination],
  ['destinationTag', ({ destinationTag }) => destinationTag],
  ['destinationType', ({ destinationType }) => destinationType],
  ['counterpartyEntityId', ({ counterpartyEntityId }) => counterpartyEntityId],
  ['beneficiaryVaspName', ({ sealed, personal }) => (sealed ? null : personal.vaspInfo.beneficiaryVaspName)],
  ['originatorVaspName', ({ sealed, personal }) => (sealed ? null : personal.vaspInfo.originatorVaspName)],
  ['messageSource', ({ messageSource }) => messageSource],
  ['sealed', ({ sealed }) => String(sealed)],
  ...partyColumns('originator'),
  ...partyColumns('beneficiary'),
  ['metadata', ({ personal }) => personal.metadata],
];
