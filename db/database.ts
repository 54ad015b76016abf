import type pg from 'pg';
import type { Vault } from './vault/vault.ts';

/** What query functions need: the connection pool, and the vault that opens encrypted columns. */
export interface Database {
  pool: pg.Pool;
  vault: Vault;
  /** Base URL of the hosted wallet page, which webhooks about verifications contain. */
  walletUrl: string;
}
