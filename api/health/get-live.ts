import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';

const Liveness = z.object({ status: z.literal('ok') }).meta({ id: 'Liveness' });

export const getLiveEndpoint = defineEndpoint({
  operationId: 'getLiveness',
  method: 'GET',
  path: '/health/live',
  auth: 'NONE',
  limit: 'ANONYMOUS',
  tag: 'Health',
  summary: 'Check that the process is alive',
  responses: { 200: { description: 'Alive.', schema: Liveness } },
  errors: ['rate_limited'],
  handle: async () => ({ status: 200, body: { status: 'ok' } }),
});
