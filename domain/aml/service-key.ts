import { z } from 'zod';

export const FEATURES = ['aml_check'] as const;
export type ServiceFeature = (typeof FEATURES)[number];
export const PROVIDERS = ['amlbot', 'crystal', 'scorechain', 'builtin'] as const;
export type ProviderCode = (typeof PROVIDERS)[number];

/** A vendor's key. It is sent in headers and forms. */
const Secret = z
  .string()
  .regex(/^[!-~]{1,500}$/, '1 to 500 printable ASCII characters without spaces are expected.');
const feature = z.enum(FEATURES);

export const PutServiceKeyBody = z
  .discriminatedUnion('provider', [
    z.strictObject({
      feature,
      provider: z.literal('amlbot'),
      key: z.strictObject({ accessId: Secret, accessKey: Secret }),
    }),
    z.strictObject({ feature, provider: z.literal('crystal'), key: Secret }),
    z.strictObject({ feature, provider: z.literal('scorechain'), key: Secret }),
    z.strictObject({
      feature,
      provider: z
        .literal('builtin')
        .describe('Labels, sanctioned wallets and the own registry; needs no contract.'),
      key: z.null().optional(),
    }),
  ])
  .meta({ id: 'PutServiceKey' });
export type PutServiceKeyBody = z.infer<typeof PutServiceKeyBody>;

export const ServiceKey = z
  .strictObject({
    feature,
    provider: z.enum(PROVIDERS),
    key: z
      .string()
      .nullable()
      .describe('The encrypted key, which is useless to anybody else. Null for a provider without a key.'),
    status: z
      .enum(['ACTIVE', 'REFUSED'])
      .describe('REFUSED: the provider did not accept the key on the last request.'),
    refusedAt: z.iso.datetime().nullable(),
    refusedStatus: z.int().nullable().describe("The provider's HTTP status: 401, 402 (no credits) or 403."),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'ServiceKey' });

export const UsedServiceKey = ServiceKey.extend({
  usage: z
    .strictObject({
      checks: z.int().describe('Checks answered by the provider, without those returned from storage.'),
      credits: z.int(),
    })
    .describe('Use of this provider since the beginning of the month (UTC).'),
}).meta({ id: 'UsedServiceKey' });

/** A stored key; times refer to the current key. */
export interface ServiceKeyRecord {
  feature: ServiceFeature;
  provider: ProviderCode;
  /** Changes each time the key is set: a refusal of an earlier key says nothing about this one. */
  keyId: string;
  sealed: Buffer | null;
  refusedAt: Date | null;
  refusedStatus: number | null;
  createdAt: Date;
  updatedAt: Date;
}

export function viewServiceKey(record: ServiceKeyRecord): z.infer<typeof ServiceKey> {
  return {
    feature: record.feature,
    provider: record.provider,
    key: record.sealed && `v1.${record.sealed.toString('base64url')}`,
    status: record.refusedAt ? 'REFUSED' : 'ACTIVE',
    refusedAt: record.refusedAt?.toISOString() ?? null,
    refusedStatus: record.refusedStatus,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}
