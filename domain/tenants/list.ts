import type { z } from 'zod';
import { listQuery } from '../list-query.ts';

/** The query of `GET /operator/tenants`. */
export const ListTenantsQuery = listQuery({ sortable: ['createdAt', 'updatedAt', 'name'], filters: {} });
export type TenantList = z.output<typeof ListTenantsQuery>;
