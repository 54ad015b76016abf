import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { housekeepingActivities } from '../../../activities/housekeeping/remove-expired.ts';
import type { KeptForATime } from '../../../domain/retention.ts';
import { formOf, png } from '../../factories/evidence.ts';
import { createVerification } from '../../factories/verification.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);

async function remove(what: KeptForATime): Promise<number> {
  const activities = housekeepingActivities({ db: api.db, storage: api.deps.storage });
  const result = (await new MockActivityEnvironment().run(
    async () => await activities.removeExpired({ what }),
  )) as { removed: number };
  return result.removed;
}

const post = async (path: string, texts: Record<string, string>) =>
  await fetch(api.url + path, {
    method: 'POST',
    headers: { 'X-Api-Key': tenant.apiKey },
    body: formOf(texts, [{ fileName: 'a.png', content: png() }]),
  });

async function proof(): Promise<string> {
  const { id } = await createVerification(tenant, { allowedFlows: ['VISUAL_PROOF'] });
  await post(`/wallet-verification/${id}/verification`, { verificationFlow: 'VISUAL_PROOF' });
  return id;
}

async function step(
  kind: 'SELFIE' | 'SOURCE_OF_FUNDS_WEALTH',
  status?: 'VERIFIED' | 'DECLINED',
): Promise<string> {
  const { id } = await createVerification(tenant, { additionalSteps: [{ kind }] });
  const path = `/wallet-verification/${id}/additional-steps/${kind}`;
  await post(path, {});
  if (status) await tenant.patch(path, { status });
  return id;
}

const decide = async (id: string, status: 'VERIFIED' | 'DECLINED') =>
  await tenant.patch(`/wallet-verification/${id}`, { status });

/** Everything that happened to a verification happened so long ago. */
async function age(id: string, days: number): Promise<void> {
  const by = `${days} days`;
  await database.pool.query(
    `update verifications set updated_at = updated_at - $2::interval,
       steps = coalesce((select jsonb_agg(case when s ->> 'reviewedAt' is null then s else
         s || jsonb_build_object('reviewedAt', ((s ->> 'reviewedAt')::timestamptz - $2::interval)) end)
         from jsonb_array_elements(steps) s), '[]')
     where id = $1`,
    [id, by],
  );
  await database.pool.query(
    'update verification_files set created_at = created_at - $2::interval where verification_id = $1',
    [id, by],
  );
}

async function isKept(id: string): Promise<boolean> {
  const { rowCount } = await database.pool.query(
    'select 1 from verification_files where verification_id = $1',
    [id],
  );
  const folder = join(api.config.STORAGE_DIR ?? '', tenant.id, id);
  const objects = await access(folder).then(
    async () => await readdir(folder),
    () => [],
  );
  // Never the one without the other.
  expect(objects).toHaveLength(rowCount ?? 0);
  return rowCount === 1;
}

test('refused proofs and steps, and all decided selfies, are removed after 90 days, and nothing else is', async () => {
  const declined = await proof();
  await decide(declined, 'DECLINED');
  const accepted = await proof();
  await decide(accepted, 'VERIFIED');
  const waiting = await proof();
  const selfie = await step('SELFIE', 'VERIFIED');
  const newSelfie = await step('SELFIE');
  const paper = await step('SOURCE_OF_FUNDS_WEALTH', 'VERIFIED');
  const badPaper = await step('SOURCE_OF_FUNDS_WEALTH', 'DECLINED');
  const all = [declined, accepted, waiting, selfie, newSelfie, paper, badPaper];
  for (const id of all) await age(id, 89);
  expect(await remove('refusedFiles')).toBe(0);
  for (const id of all) await age(id, 2);
  expect(await remove('refusedFiles')).toBe(3);
  expect(await Promise.all(all.map(isKept))).toEqual([false, true, true, false, true, true, false]);
  expect(await remove('refusedFiles')).toBe(0);
});

test('deleting a verification keeps no file that was to be removed', async () => {
  const declined = await proof();
  await decide(declined, 'DECLINED');
  const undecided = await proof();
  const revoked = await proof();
  await decide(revoked, 'VERIFIED');
  await tenant.post(`/wallet-verification/${revoked}/revoke`, { reason: 'x' });
  const accepted = await proof();
  await decide(accepted, 'VERIFIED');
  const selfie = await step('SELFIE', 'VERIFIED');
  const newSelfie = await step('SELFIE');
  const paper = await step('SOURCE_OF_FUNDS_WEALTH', 'VERIFIED');
  const badPaper = await step('SOURCE_OF_FUNDS_WEALTH', 'DECLINED');
  const all = [declined, undecided, revoked, accepted, selfie, newSelfie, paper, badPaper];
  for (const id of all) expect((await tenant.delete(`/wallet-verification/${id}`)).status).toBe(204);
  for (const id of all) await age(id, 89);
  expect(await remove('refusedFiles')).toBe(0);
  for (const id of all) await age(id, 2);
  expect(await remove('refusedFiles')).toBe(6);
  expect(await Promise.all(all.map(isKept))).toEqual([false, false, false, true, false, false, true, false]);
});

test('the selfie that nobody reviewed of a verification that expired goes 90 days after that', async () => {
  const id = await step('SELFIE');
  await tenant.post(`/sandbox/wallet-verification/${id}/fire-timer`, {});
  await database.pool.query(
    `update verifications set status = 'FAILED', failure_code = 'EXPIRED' where id = $1`,
    [id],
  );
  await age(id, 91);
  expect(await remove('refusedFiles')).toBe(1);
});

test('what arrived and was never made part of a record is removed after a day', async () => {
  const id = await proof();
  await database.pool.query(`update verification_files set state = 'ARRIVING' where verification_id = $1`, [
    id,
  ]);
  expect(await remove('abandonedFiles')).toBe(0);
  await age(id, 1.01);
  expect(await remove('abandonedFiles')).toBe(1);
  expect(await isKept(id)).toBe(false);
});

test('a storage that is away keeps the row, and the next run removes both', async () => {
  const id = await proof();
  await decide(id, 'DECLINED');
  await age(id, 91);
  const away = { ...api.deps.storage, delete: async () => await Promise.reject(new Error('away')) };
  const activities = housekeepingActivities({ db: api.db, storage: away });
  await expect(
    new MockActivityEnvironment().run(async () => await activities.removeExpired({ what: 'refusedFiles' })),
  ).rejects.toThrow('away');
  expect(await isKept(id)).toBe(true);
  await remove('refusedFiles');
  expect(await isKept(id)).toBe(false);
});
