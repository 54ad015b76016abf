import { inTransaction, openPool, type Queryable } from '../../db/postgres.ts';
import type { Json, TestApi } from '../api-client.ts';
import { formOf, png } from './evidence.ts';
import type { TestTenant } from './tenant.ts';
import { createBody } from './transaction.ts';
import { createVerification } from './verification.ts';

type Release = () => Promise<void>;

/** Holds locks on a connection that is none of the API's, until the returned function is called. */
export async function holdLocks(api: TestApi, take: (tx: Queryable) => Promise<void>): Promise<Release> {
  const pool = openPool(api.config.DATABASE_URL, 1, () => undefined);
  let release = (): void => undefined;
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  let isHeld = (): void => undefined;
  const held = new Promise<void>((resolve) => (isHeld = resolve));
  const holding = inTransaction(pool, async (tx) => {
    await take(tx);
    isHeld();
    await isReleased;
  });
  // What cannot be taken fails here, and not where it is waited for.
  await Promise.race([held, holding]);
  return async () => {
    release();
    await holding;
    await pool.end();
  };
}

/** Holds the row of a verification as whoever changes it does. */
export async function holdVerification(api: TestApi, id: string): Promise<Release> {
  const text = 'select from verifications where id = $1 for no key update';
  return await holdLocks(api, async (tx) => void (await tx.query(text, [id])));
}

/** How many connections to the database wait for locks of these kinds. */
async function waitingFor({ db }: TestApi, events: readonly string[]): Promise<number> {
  const { rows } = await db.pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and wait_event = any($1)`,
    [events],
  );
  return rows[0]?.count ?? 0;
}
export const waitingForRows = async (api: TestApi) => await waitingFor(api, ['transactionid', 'tuple']);
export const waitingForAdvisoryLocks = async (api: TestApi) => await waitingFor(api, ['advisory']);
export const waitingForTables = async (api: TestApi) => await waitingFor(api, ['relation']);

/** Reads, `count` times at once, and writes as another tenant while a lock is held that one tenant's requests wait for. */
export async function goesOn(other: TestTenant, count: number, release: Release): Promise<void> {
  const others = Array.from({ length: count }, async () => (await other.get('/transactions')).status);
  const created = (await other.post('/transactions', createBody())).status;
  expect([await Promise.all(others), created]).toEqual([Array.from({ length: count }, () => 200), 201]);
  await release();
}

/** A verification of the tenant with one file; `address` is its wallet. */
export async function withFile(
  api: TestApi,
  tenant: TestTenant,
  overrides: Json = {},
): Promise<{ id: string; linkPath: string }> {
  const { id } = await createVerification(tenant, { allowedFlows: ['VISUAL_PROOF'], ...overrides });
  const body = formOf({ verificationFlow: 'VISUAL_PROOF' }, [{ fileName: 'wallet.png', content: png() }]);
  const headers = { 'X-Api-Key': tenant.apiKey };
  await fetch(`${api.url}/wallet-verification/${id}/verification`, { method: 'POST', headers, body });
  const [file] = (await tenant.get<Json[]>(`/wallet-verification/${id}/files`)).body;
  return { id, linkPath: `/wallet-verification/${id}/files/${String(file?.['id'])}/url` };
}
