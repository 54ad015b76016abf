import { z } from 'zod';
import { Timestamp } from '../list-query.ts';
import { KEY_ROLES } from '../tenants/role.ts';
import { AllowedIps } from './allowed-ips.ts';
import type { ApiKeyRecord } from './api-key.ts';

/** The body of a new API key. Null means the same as absent: no expiry, no name. */
export const CreateApiKeyBody = z
  .strictObject({
    expiresAt: Timestamp.nullable()
      .optional()
      .describe('A time in the future; without it the key does not expire.'),
    name: z.string().min(1).max(100).nullable().optional(),
    role: z.enum(KEY_ROLES).default('ADMIN'),
    allowedIps: AllowedIps.nullable()
      .optional()
      .describe(
        'Addresses or networks in CIDR notation (IPv4, IPv6) from which the key may be used. Null or absent: all.',
      ),
  })
  .meta({ id: 'CreateApiKey' });
export type CreateApiKeyBody = z.infer<typeof CreateApiKeyBody>;

export const PatchApiKeyBody = z
  .strictObject({
    allowedIps: AllowedIps.nullable().describe(
      'Addresses or networks in CIDR notation (IPv4, IPv6) from which the key may be used. Null: all.',
    ),
  })
  .meta({ id: 'PatchApiKey' });

/** An API key in responses. */
export const ApiKey = z
  .strictObject({
    id: z.uuid(),
    apiKey: z.string(),
    name: z.string().nullable(),
    role: z.enum(KEY_ROLES),
    expiresAt: z.iso.datetime().nullable(),
    allowedIps: z
      .array(z.string())
      .nullable()
      .describe('Networks in CIDR notation from which the key may be used. Null: all.'),
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
    allowedIps: key.allowedIps,
    createdAt: key.createdAt.toISOString(),
    revokedAt: text(key.revokedAt),
    lastUsedAt: text(key.lastUsedAt),
  };
}

const SHOWN_LETTERS = 4;

/** The key as lists show it where `maskApiKeys` is set: enough of it to tell it from others, too little to use it. */
export function viewMaskedApiKey(key: ApiKeyRecord): ApiKey {
  const secretAt = key.apiKey.lastIndexOf('_') + 1;
  return { ...viewApiKey(key), apiKey: `${key.apiKey.slice(0, secretAt + SHOWN_LETTERS)}********` };
}
