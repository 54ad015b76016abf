import type pg from 'pg';
import type { Vault } from './vault/vault.ts';

/** What every query file needs: connections, and the keys that open what is stored encrypted. */
export interface Database {
  pool: pg.Pool;
  vault: Vault;
  /** Where the hosted page is: part of what webhooks say about a verification. */
  walletUrl: string;
}
