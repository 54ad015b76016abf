import { DomainError } from '../errors.ts';

export const WALLET_STATUSES = ['CONFIRMED', 'UNCONFIRMED'] as const;
export type WalletStatus = (typeof WALLET_STATUSES)[number];

export const WALLET_SOURCES = ['MANUAL', 'CSV', 'DETECTED', 'ANSWERED'] as const;
export type WalletSource = (typeof WALLET_SOURCES)[number];

/** A tenant's custodial wallet, as sent and in normal form. */
export interface NewWallet {
  address: string;
  addressNormal: string;
  /** Memo or destination tag; a wallet without one matches any. */
  tag: string | null;
  /** A ticker, or `*` for all assets of the blockchain. */
  asset: string;
  blockchain: string;
  blockchainKey: string;
  metadata: string | null;
  /** The customer whose wallet it is. */
  holderName: string | null;
}

export interface WalletRecord extends Omit<NewWallet, 'addressNormal' | 'blockchainKey'> {
  id: number;
  status: WalletStatus;
  source: WalletSource;
  /** 1, and one more with every change. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
  confirmedAt: Date | null;
}

/** A change of a wallet: null clears a field, undefined leaves it unchanged. */
export interface WalletPatch {
  status?: WalletStatus | undefined;
  metadata?: string | null | undefined;
  holderName?: string | null | undefined;
}

/** The error for a bulk request with unknown wallet ids; nothing was changed. */
export function unknownWallets(ids: readonly number[]): DomainError {
  return new DomainError('not_found', 'Some of these wallets do not exist: nothing was changed.', {
    members: { ids },
  });
}
