import type { z } from 'zod';
import { listQuery } from '../list-query.ts';

/** The query of `GET /operator/tenants/{id}/attested-addresses`. */
export const ListAttestedAddressesQuery = listQuery({ sortable: ['createdAt'], filters: {} });
export type AttestedAddressList = z.output<typeof ListAttestedAddressesQuery>;
