import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { createEndpointTurns, type EndpointTurns } from '../../activities/webhooks/endpoint-turns.ts';
import { leasePlaces } from '../../db/webhooks/lease-places.ts';

type TurnsOptions = Omit<Parameters<typeof createEndpointTurns>[0], 'leasePlaces'>;

/** Turns of one more worker, which leases its places in the database like every other. */
export function leasedTurns(pool: pg.Pool, options: TurnsOptions = {}): EndpointTurns {
  const workerId = randomUUID();
  return createEndpointTurns({
    leasePlaces: async (request) => await leasePlaces(pool, { ...request, workerId }),
    ...options,
  });
}
