import { z } from 'zod';
import { listQuery } from '../list-query.ts';
import { WALLET_STATUSES } from './wallet.ts';

/** The query of `GET /wallets`. */
export const ListWalletsQuery = listQuery({
  sortable: ['createdAt', 'updatedAt', 'id', 'address', 'asset', 'blockchain', 'status'],
  filters: { _status: z.enum(WALLET_STATUSES) },
});
export type WalletList = z.output<typeof ListWalletsQuery>;
