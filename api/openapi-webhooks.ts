import type { z } from 'zod';
import type { DocumentedWebhook } from './webhooks/documented-webhooks.ts';

type JsonObject = Record<string, unknown>;

/** Converts a schema to JSON Schema. */
type SchemaConverter = (schema: z.ZodType) => JsonObject;

/** The `webhooks` of the OpenAPI document, by their X-Event-Type. */
export function webhookSection(
  webhooks: Readonly<Record<string, DocumentedWebhook>>,
  convert: SchemaConverter,
): JsonObject {
  return Object.fromEntries(
    Object.entries(webhooks).map(([kind, webhook]) => [kind, { post: operation(kind, webhook, convert) }]),
  );
}

function operation(kind: string, webhook: DocumentedWebhook, convert: SchemaConverter): JsonObject {
  const { summary, description, schema, example } = webhook;
  return {
    operationId: `receive-${kind}-webhook`.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    tags: ['Webhooks'],
    summary,
    description: `${description}\n\n${DELIVERY}`,
    security: [],
    parameters: HEADERS.map(({ value, ...header }) => ({
      name: header.name,
      in: 'header',
      required: header.required,
      description: header.description,
      schema: header.name === 'X-Event-Type' ? { type: 'string', const: kind } : value,
    })),
    requestBody: { required: true, content: { 'application/json': { schema: convert(schema), example } } },
    responses: RESPONSES,
  };
}

const DELIVERY =
  'Verify `Service-Signature` over the raw bytes before you parse them. A webhook may arrive more than once and out of ' +
  'order: `X-Event-Id` tells repeats, `X-Resource-Version` tells which of two bodies of one record is newer.';

const SIGNATURE = { type: 'string', pattern: '^t=[0-9]+,s=[0-9a-f]{64}$' };

/** What is sent besides Content-Type, which OpenAPI takes from the body. */
const HEADERS = [
  {
    name: 'Service-Signature',
    required: true,
    description:
      '`t=<milliseconds>,s=<hex>`: `t` is the time of this attempt, `s` the HMAC-SHA256 of the text of `t`, a dot and the ' +
      'raw body. The key is the whole text of `webhookSecret`, `whsec_` included. Refuse a `t` more than five minutes ' +
      'from your clock.',
    value: SIGNATURE,
  },
  {
    name: 'Service-Signature-Previous',
    required: false,
    description:
      'The same with the previous secret, while the overlap after `POST /tenant/me/webhook/rotate-secret` runs.',
    value: SIGNATURE,
  },
  { name: 'X-Event-Type', required: true, description: 'The kind of webhook.', value: { type: 'string' } },
  {
    name: 'X-Event-Id',
    required: true,
    description: 'The id of the delivery: the same for every attempt, also when it is sent again.',
    value: { type: 'string', format: 'uuid' },
  },
  {
    name: 'X-Delivery-Attempt',
    required: true,
    description: 'The number of this attempt, from 1.',
    value: { type: 'integer', minimum: 1 },
  },
  {
    name: 'X-Resource-Version',
    required: true,
    description: 'The version of the record in the body: the higher one is newer. 1 for a test.',
    value: { type: 'integer', minimum: 1 },
  },
  {
    name: 'User-Agent',
    required: true,
    description: 'The name of this service.',
    value: { type: 'string', const: 'Waybill' },
  },
] as const;

const RESPONSES = {
  '2XX': { description: 'Received, within 10 seconds.' },
  '410': { description: 'Switches the endpoint off until `webhookUrl` is patched, even to the same URL.' },
  default: {
    description:
      'Any other answer, a redirect, and no answer within 10 seconds: repeated after 5 s, 30 s, 2 min, 10 min, 30 min, ' +
      '2 h, 5 h, 10 h, 14 h, 20 h and 24 h, or later where `Retry-After` says so (24 h at most).',
  },
};
