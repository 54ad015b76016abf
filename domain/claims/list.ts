import { z } from 'zod';
import { DIRECTIONS } from '../direction.ts';
import { listQuery, oneOrMore, Timestamp } from '../list-query.ts';
import { CLAIM_STATUSES } from './state.ts';

/** The query of `GET /claims`. */
export const ListClaimsQuery = listQuery({
  sortable: ['createdAt', 'updatedAt', 'deadlineAt', 'status', 'direction', 'asset'],
  filters: {
    _status: oneOrMore(z.enum(CLAIM_STATUSES)),
    _direction: z.enum(DIRECTIONS),
    _from: Timestamp,
    _to: Timestamp,
    _transactionHash: z.string().max(256),
    _destination: z.string().max(256),
  },
});
export type ClaimList = z.output<typeof ListClaimsQuery>;
