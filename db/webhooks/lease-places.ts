import type pg from 'pg';
import { inTransaction, type Queryable } from '../postgres.ts';

/** Requests of one worker to one endpoint of a tenant. */
export interface PlacesRequest {
  tenantId: string;
  /** Scheme, host and port of the endpoint. */
  origin: string;
  workerId: string;
  /** Requests that the worker would make at the same time. */
  wanted: number;
  /** Requests of the worker that are under way; these places cannot be taken from it. */
  inFlight: number;
  /** Places of the endpoint, for all workers together. */
  maxPlaces: number;
  leaseMs: number;
}

// The time of the database decides, since workers' clocks differ. What other workers do not want is free; what is short is
// divided equally. Other workers' places are subtracted as they are: they shrink when their holders renew them.
const LEASE = `
  with ended as (
    delete from webhook_endpoint_leases
    where tenant_id = $1 and worker_id <> $3 and until <= clock_timestamp()
  ), others as (
    select count(*)::int as workers, coalesce(sum(wanted), 0)::int as wanted, coalesce(sum(places), 0)::int as places
    from webhook_endpoint_leases
    where tenant_id = $1 and origin = $2 and worker_id <> $3 and until > clock_timestamp()
  )
  insert into webhook_endpoint_leases (tenant_id, origin, worker_id, wanted, places, until)
  select $1, $2, $3, $4,
    greatest($5, least($4, $6 - places, greatest($6 - wanted, $6 / (workers + 1), 1))),
    clock_timestamp() + make_interval(secs => $7::float8 / 1000)
  from others
  on conflict (tenant_id, origin, worker_id)
    do update set wanted = excluded.wanted, places = excluded.places, until = excluded.until
  returning places`;

/**
 * Leases places at an endpoint for one worker, or renews its lease. Returns how many the worker has now, 0 if none is free.
 * All leases of an endpoint together are never more than `maxPlaces`.
 */
export async function leasePlaces(pool: pg.Pool, request: PlacesRequest): Promise<number> {
  const { tenantId, origin, workerId, wanted, inFlight, maxPlaces, leaseMs } = request;
  return await inTransaction(pool, async (tx) => {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`webhook places ${tenantId}`]);
    const { rows } = await tx.query<{ places: number }>({
      name: 'lease-webhook-places',
      text: LEASE,
      values: [tenantId, origin, workerId, wanted, inFlight, maxPlaces, leaseMs],
    });
    return rows[0]?.places ?? 0;
  });
}

/** Gives back all places of a worker that stops. */
export async function endPlaces(db: Queryable, workerId: string): Promise<void> {
  await db.query('delete from webhook_endpoint_leases where worker_id = $1', [workerId]);
}
