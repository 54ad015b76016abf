import type { z } from 'zod';
import type { Wallet } from '../../wallets/schema.ts';
import { WALLET_SOURCES, WALLET_STATUSES } from '../../wallets/wallet.ts';
import { plainColumns } from './csv-columns.ts';
import { exportFilter, someOf } from './period.ts';

/** Which wallets are exported. */
export const WalletFilter = exportFilter('ExportWalletFilter', {
  status: someOf(WALLET_STATUSES, 'statuses'),
  source: someOf(WALLET_SOURCES, 'sources'),
});
export type WalletFilter = z.output<typeof WalletFilter>;

/** The columns of wallets. */
export const WALLET_COLUMNS = plainColumns<Wallet>(
  'id',
  'address',
  'tag',
  'asset',
  'blockchain',
  'status',
  'source',
  'holderName',
  'metadata',
  'createdAt',
  'updatedAt',
  'confirmedAt',
);
