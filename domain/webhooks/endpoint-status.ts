import { z } from 'zod';

const EndpointStatus = z.enum(['ACTIVE', 'DISABLED']);
/** Whether webhooks are sent to an endpoint. */
export type EndpointStatus = z.infer<typeof EndpointStatus>;

/** The status of an endpoint in responses; null without one. */
export const ShownEndpointStatus = EndpointStatus.nullable().describe(
  'DISABLED after the endpoint answered 410; setting `webhookUrl` enables it again.',
);
