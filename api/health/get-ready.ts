import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';

const Readiness = z
  .object({
    status: z.enum(['ok', 'unavailable']),
    checks: z.object({ database: z.boolean(), migrations: z.boolean(), masterKey: z.boolean() }),
    degraded: z.array(z.string()).describe('Parts that have failed without making the API unusable.'),
  })
  .meta({ id: 'Readiness' });

export const getReadyEndpoint = defineEndpoint({
  operationId: 'getReadiness',
  method: 'GET',
  path: '/health/ready',
  auth: 'NONE',
  limit: 'ANONYMOUS',
  tag: 'Health',
  summary: 'Check that the process can answer requests',
  description:
    'Ready means that the database, its migrations and the master key are available. `degraded` names other parts that ' +
    'have failed. The process stays ready then, because removing it would turn the failure into an outage.',
  responses: {
    200: { description: 'Ready.', schema: Readiness },
    503: { description: 'Not ready, or stopping.', schema: Readiness },
  },
  errors: ['rate_limited'],
  async handle({ isStopping }, deps) {
    const { checks, degraded } = await deps.isReady();
    const ready = !isStopping && Object.values(checks).every(Boolean);
    const status = ready ? 'ok' : 'unavailable';
    return { status: ready ? 200 : 503, body: { status, checks, degraded } };
  },
});
