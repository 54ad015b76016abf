import type pg from 'pg';
import type { Vault } from './vault/vault.ts';

/** What of this deployment decides where messages can go. */
export interface OpenNetworks {
  /** Whether other VASPs can call it by the Travel Rule Protocol: else nothing is sent by it, since no answer could come. */
  speaksTrp: boolean;
}

/** What query functions need: the connection pool, and the vault that opens encrypted columns. */
export interface Database extends OpenNetworks {
  pool: pg.Pool;
  vault: Vault;
  /** Base URL of the hosted wallet page, which webhooks about verifications contain. */
  walletUrl: string;
}
