import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';

const Readiness = z
  .object({
    status: z.enum(['ok', 'unavailable']),
    checks: z.object({ database: z.boolean(), migrations: z.boolean(), masterKey: z.boolean() }),
    degraded: z.array(z.string()).describe('Parts in trouble that leave the API usable.'),
  })
  .meta({ id: 'Readiness' });

export const getReadyEndpoint = defineEndpoint({
  method: 'GET',
  path: '/health/ready',
  auth: 'NONE',
  limit: 'READS',
  tag: 'Health',
  summary: 'Whether requests should be sent here',
  description:
    'Needs the database, its migrations and the master key. Trouble elsewhere is named under `degraded` and leaves ' +
    'the process ready: taking it out would turn that trouble into an outage.',
  responses: {
    200: { description: 'Ready.', schema: Readiness },
    503: { description: 'Not ready, or stopping.', schema: Readiness },
  },
  errors: [],
  async handle({ isStopping }, deps) {
    const { checks, degraded } = await deps.isReady();
    const ready = !isStopping && Object.values(checks).every(Boolean);
    const status = ready ? 'ok' : 'unavailable';
    return { status: ready ? 200 : 503, body: { status, checks, degraded } };
  },
});
