import type { z } from 'zod';
import type { WalletVerification } from '../../verifications/schema.ts';
import { FLOWS, STEP_STATUSES, VERIFICATION_STATUSES } from '../../verifications/state.ts';
import { listCell, plainColumns, type CsvColumns } from './csv-columns.ts';
import { exportFilter, someOf } from './period.ts';

/** Which verifications are exported. */
export const VerificationFilter = exportFilter('ExportVerificationFilter', {
  status: someOf(VERIFICATION_STATUSES, 'statuses'),
  flow: someOf(FLOWS, 'ways of proof'),
  step: someOf(STEP_STATUSES, 'statuses of an additional step'),
});
export type VerificationFilter = z.output<typeof VerificationFilter>;

/** The columns of verifications. Whoever has the address of the hosted page may give the proof: it is in no file. */
export const VERIFICATION_COLUMNS: CsvColumns<WalletVerification> = [
  ...plainColumns<WalletVerification>(
    'id',
    'status',
    'statusReasoning',
    'failureCode',
    'createdAt',
    'updatedAt',
    'expiresAt',
    'asset',
    'blockchain',
    'address',
    'customerIdentification',
    'flow',
  ),
  ['allowedFlows', ({ allowedFlows }) => listCell(allowedFlows)],
  ...plainColumns<WalletVerification>(
    'verifiedAt',
    'verifiedTransactionHash',
    'riskScore',
    'riskSeverity',
    'message',
    'signature',
  ),
  ['warnings', ({ warnings }) => listCell(warnings)],
  ['declaration.name', ({ declaration }) => declaration?.name ?? null],
  ['declaration.statement', ({ declaration }) => declaration?.statement ?? null],
  ['satoshiFlow.amount', ({ satoshiFlow }) => satoshiFlow.amount],
  ['satoshiFlow.depositAddress', ({ satoshiFlow }) => satoshiFlow.depositAddress],
  ['reuse.matchLevel', ({ reuse }) => reuse?.matchLevel ?? null],
  [
    'additionalSteps',
    ({ additionalSteps }) => listCell(additionalSteps.map(({ kind, status }) => `${kind} ${status}`)),
  ],
  ['metadata', ({ metadata }) => metadata],
];
