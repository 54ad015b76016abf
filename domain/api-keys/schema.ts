import { z } from 'zod';
import { Timestamp } from '../list-query.ts';
import { KEY_ROLES } from '../tenants/role.ts';
import type { ApiKeyRecord } from './api-key.ts';

/** The body of a new API key. Null means the same as absent: no expiry, no name. */
export const CreateApiKeyBody = z
  .strictObject({
    expiresAt: Timestamp.nullable()
      .optional()
      .describe('A time in the future; without it the key does not expire.'),
    name: z.string().min(1).max(100).nullable().optional(),
    role: z.enum(KEY_ROLES).default('ADMIN'),
  })
  .meta({ id: 'CreateApiKey' });
export type CreateApiKeyBody = z.infer<typeof CreateApiKeyBody>;

/** An API key in responses, with its full text. */
export const ApiKey = z
  .strictObject({
    id: z.uuid(),
    apiKey: z.string(),
    name: z.string().nullable(),
    role: z.enum(KEY_ROLES),
    expiresAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
    revokedAt: z.iso.datetime().nullable(),
    lastUsedAt: z.iso.datetime().nullable().describe('Time of the latest request, accurate to a minute.'),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof ApiKey>;

export function viewApiKey(key: ApiKeyRecord): ApiKey {
  const text = (date: Date | null) => date?.toISOString() ?? null;
  return {
    id: key.id,
    apiKey: key.apiKey,
    name: key.name,
    role: key.role,
    expiresAt: text(key.expiresAt),
    createdAt: key.createdAt.toISOString(),
    revokedAt: text(key.revokedAt),
    lastUsedAt: text(key.lastUsedAt),
  };
}
