import { randomUUID } from 'node:crypto';
import { commitOnce, KeyTaken } from '../../../db/idempotency/idempotency.ts';
import { takeLease } from '../../../db/idempotency/idempotency-lease.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);

const [CANONICAL, BYTES] = [Buffer.from('canonical'), Buffer.from('bytes')];

/** A request of the version before that died under its lease: its fingerprint is over the bytes. */
async function abandoned(): Promise<{ tenantId: string; key: string; fingerprint: Buffer }> {
  const call = { tenantId: tenant.id, key: randomUUID(), fingerprint: BYTES };
  await takeLease(api.db, call);
  const ended = `update idempotency_keys set leased_until = now() - interval '1 second' where key = $1`;
  await database.pool.query(ended, [call.key]);
  return { ...call, fingerprint: CANONICAL };
}

test('a repeat with the same bytes takes over', async () => {
  const call = { ...(await abandoned()), otherFingerprints: [BYTES] };
  expect(await takeLease(api.db, call)).toMatchObject({ lease: { key: call.key } });
  // The repeat holds it now.
  await expect(takeLease(api.db, call)).rejects.toMatchObject({ code: 'conflict' });
});

test('another request does not', async () => {
  const call = { ...(await abandoned()), otherFingerprints: [Buffer.from('others')] };
  await expect(takeLease(api.db, call)).rejects.toMatchObject({ code: 'idempotency_key_reused' });
});

describe('an effect that is one database transaction', () => {
  const commit = async (other: Buffer) =>
    await commitOnce(api.db, { ...(await abandoned()), otherFingerprints: [other] }, async () =>
      Promise.resolve({ status: 201, body: { made: true } }),
    );

  test('runs for a repeat with the same bytes', async () => {
    expect(await commit(BYTES)).toEqual({ status: 201, body: { made: true } });
  });

  test('does not run for another request', async () => {
    await expect(commit(Buffer.from('others'))).rejects.toThrow(KeyTaken);
  });
});
