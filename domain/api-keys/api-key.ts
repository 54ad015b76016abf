import type { KeyRole } from '../tenants/role.ts';

/** An API key, decrypted. It is valid unless it was revoked or has expired. */
export interface ApiKeyRecord {
  id: string;
  /** The full text of the key. */
  apiKey: string;
  name: string | null;
  role: KeyRole;
  expiresAt: Date | null;
  /** The networks from which it may be used; null for all. */
  allowedIps: string[] | null;
  createdAt: Date;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}
