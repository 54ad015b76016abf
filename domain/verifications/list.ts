import { z } from 'zod';
import { listQuery, oneOrMore, Timestamp } from '../list-query.ts';
import { FLOWS, STEP_STATUSES, VERIFICATION_STATUSES } from './state.ts';

/** The query of `GET /wallet-verification`. */
export const ListVerificationsQuery = listQuery({
  sortable: ['createdAt', 'updatedAt', 'expiresAt', 'status', 'flow', 'asset', 'blockchain', 'riskScore'],
  filters: {
    _status: oneOrMore(z.enum(VERIFICATION_STATUSES)),
    _flow: oneOrMore(z.enum(FLOWS)),
    _step: oneOrMore(z.enum(STEP_STATUSES)).describe('Verifications with an additional step of this status.'),
    _from: Timestamp,
    _to: Timestamp,
  },
});
export type VerificationList = z.output<typeof ListVerificationsQuery>;
