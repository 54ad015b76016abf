import { sha256 } from '../../domain/sha256.ts';
import { readStatement, type EventSeal } from '../../domain/seals/seal.ts';
import type { Vault } from '../vault/vault.ts';

/** A stored seal; what it states is in its signed text alone. */
export interface SealRow {
  jws: string;
  created_at: Date;
}

/** A seal to be stored. */
export interface NewSeal {
  tenantId: string;
  day: string;
  jws: string;
  createdAt: Date;
  /** Whether the tenant asks for the webhook. */
  isAnnounced: boolean;
}

/** The hash by which the seal of the next day refers to this one, in hex. */
export function hashOfSeal(jws: string): string {
  return sha256(jws).toString('hex');
}

/** Shows a stored seal. Throws when it was not signed by this deployment: what is shown is always signed. */
export function toSeal({ jws, created_at }: SealRow, { seals }: Pick<Vault, 'seals'>): EventSeal {
  const text = seals.open(jws);
  const key = seals.publicKeyOf(jws);
  if (text === null || !key) throw new Error('a stored seal was not signed by this deployment');
  const stated = readStatement(text);
  return {
    ...stated,
    // What was sealed before there were audit logs does not state them.
    audit: stated.audit ?? null,
    operatorAudit: stated.operatorAudit ?? null,
    keyId: key.keyId,
    publicKey: key.pem,
    jws,
    createdAt: created_at.toISOString(),
  };
}
