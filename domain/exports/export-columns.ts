import type { Party } from '../parties/party.ts';
import type { TransactionRecord } from '../transactions/record.ts';
import { subStatusOf } from '../transactions/sub-status.ts';

type CellReader = (record: TransactionRecord) => string | null;

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
function partyColumns(side: 'originator' | 'beneficiary'): [string, CellReader][] {
  return PARTY_FIELDS.map((field) => [
    `${side}.${field}`,
    ({ sealed, personal }) => (sealed ? null : (personal[side]?.[field] ?? null)),
  ]);
}

const COLUMNS: readonly [string, CellReader][] = [
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

/** The header of an export of transactions. */
export const EXPORT_HEADER = COLUMNS.map(([name]) => name);

/** The cells of one transaction; null is an empty cell. */
export function exportCells(record: TransactionRecord): (string | null)[] {
  return COLUMNS.map(([, read]) => read(record));
}
