import { z } from 'zod';
import type { TransferClaim } from '../../claims/schema.ts';
import { CLAIM_STATUSES } from '../../claims/state.ts';
import { DIRECTIONS } from '../../direction.ts';
import { listCell, plainColumns, type CsvColumns } from './csv-columns.ts';
import { exportFilter, someOf } from './period.ts';

/** Which claims are exported. */
export const ClaimFilter = exportFilter('ExportClaimFilter', {
  direction: z.enum(DIRECTIONS).optional().describe('OUTGOING: only those that you have made.'),
  status: someOf(CLAIM_STATUSES, 'statuses'),
});
export type ClaimFilter = z.output<typeof ClaimFilter>;

/** The columns of claims. */
export const CLAIM_COLUMNS: CsvColumns<TransferClaim> = [
  ...plainColumns<TransferClaim>(
    'id',
    'direction',
    'status',
    'statusReasoning',
    'failureCode',
    'createdAt',
    'updatedAt',
    'deadlineAt',
    'remindedAt',
    'asset',
  ),
  ['blockchain', ({ blockchainInfo }) => blockchainInfo.blockchain],
  ['transactionHash', ({ blockchainInfo }) => blockchainInfo.transactionHash],
  ['origin', ({ blockchainInfo }) => blockchainInfo.origin],
  ['originTag', ({ blockchainInfo }) => blockchainInfo.originTag],
  ['destination', ({ blockchainInfo }) => blockchainInfo.destination],
  ['destinationTag', ({ blockchainInfo }) => blockchainInfo.destinationTag],
  ['originatorVaspName', ({ vaspInfo }) => vaspInfo.originatorVaspName],
  ['originatorVaspEmail', ({ vaspInfo }) => vaspInfo.originatorVaspEmail],
  ['originatorVaspEntityId', ({ vaspInfo }) => vaspInfo.originatorVaspEntityId],
  ['beneficiaryVaspName', ({ vaspInfo }) => vaspInfo.beneficiaryVaspName],
  ['beneficiaryVaspEntityId', ({ vaspInfo }) => vaspInfo.beneficiaryVaspEntityId],
  ['beneficiary.name', ({ beneficiary }) => beneficiary?.name ?? null],
  ['requestedFields', ({ requestedFields }) => listCell(requestedFields)],
  ...plainColumns<TransferClaim>('transactionId', 'travelRuleMessageSource'),
];
