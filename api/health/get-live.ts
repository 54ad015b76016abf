import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';

export const getLiveEndpoint = defineEndpoint({
  method: 'GET',
  path: '/health/live',
  auth: 'NONE',
  limit: 'ANONYMOUS',
  tag: 'Health',
  summary: 'Check that the process is alive',
  responses: { 200: { description: 'Alive.', schema: z.object({ status: z.literal('ok') }) } },
  errors: ['rate_limited'],
  handle: async () => ({ status: 200, body: { status: 'ok' } }),
});
