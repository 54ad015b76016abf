import type { Role } from '../tenants/role.ts';

/** An API key, opened. It is valid unless it was revoked or has expired. */
export interface ApiKeyRecord {
  id: string;
  /** The usable text. */
  apiKey: string;
  name: string | null;
  role: Role;
  expiresAt: Date | null;
  createdAt: Date;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}
