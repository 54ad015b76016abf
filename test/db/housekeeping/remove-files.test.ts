import { access, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { expireDueVerifications } from '../../../db/verifications/expire-due.ts';
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

const post = async (path: string, texts: Record<string, string>, content = png()) =>
  await fetch(api.url + path, {
    method: 'POST',
    headers: { 'X-Api-Key': tenant.apiKey },
    body: formOf(texts, [{ fileName: 'a.png', content }]),
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
    `update verification_files set created_at = created_at - $2::interval, refused_at = refused_at - $2::interval
     where verification_id = $1`,
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
  await database.pool.query('update verifications set expires_at = now() - $2::interval where id = $1', [
    id,
    '1 second',
  ]);
  expect(await expireDueVerifications(api.db, new Date(), [])).toMatchObject({ expired: 1 });
  await age(id, 91);
  expect(await remove('refusedFiles')).toBe(1);
});

describe('the 90 days begin with the decision', () => {
  const paperPath = (id: string) => `/wallet-verification/${id}/additional-steps/SOURCE_OF_FUNDS_WEALTH`;
  const giveAgain = async (id: string) => {
    expect((await post(paperPath(id), {}, png({ text: 'another' }))).status).toBe(200);
  };

  test('a later note does not begin them anew', async () => {
    const id = await proof();
    await decide(id, 'DECLINED');
    await age(id, 89);
    expect((await tenant.patch(`/wallet-verification/${id}`, { metadata: 'a note' })).status).toBe(200);
    await age(id, 2);
    expect(await remove('refusedFiles')).toBe(1);
  });

  test('nor does the deletion on day 89', async () => {
    const ids = [
      await proof(),
      await step('SOURCE_OF_FUNDS_WEALTH', 'DECLINED'),
      await step('SELFIE', 'VERIFIED'),
    ];
    await decide(ids[0]!, 'DECLINED');
    for (const id of ids) await age(id, 89);
    for (const id of ids) expect((await tenant.delete(`/wallet-verification/${id}`)).status).toBe(204);
    for (const id of ids) await age(id, 2);
    expect(await remove('refusedFiles')).toBe(3);
  });

  test('papers that nobody decided go 90 days after the verification was deleted', async () => {
    const id = await step('SOURCE_OF_FUNDS_WEALTH');
    await age(id, 4_000);
    expect((await tenant.delete(`/wallet-verification/${id}`)).status).toBe(204);
    await age(id, 89);
    expect(await remove('refusedFiles')).toBe(0);
    await age(id, 2);
    expect(await remove('refusedFiles')).toBe(1);
  });

  test('a refused paper goes although a better one was accepted, which stays', async () => {
    const id = await step('SOURCE_OF_FUNDS_WEALTH', 'DECLINED');
    await age(id, 60);
    await giveAgain(id);
    await tenant.patch(paperPath(id), { status: 'VERIFIED' });
    await age(id, 31);
    expect(await remove('refusedFiles')).toBe(1);
    expect(await isKept(id)).toBe(true);
    await age(id, 4_000);
    expect(await remove('refusedFiles')).toBe(0);
  });

  test('a paper that was accepted after its verification was declined stays', async () => {
    const { id } = await createVerification(tenant, {
      allowedFlows: ['VISUAL_PROOF'],
      additionalSteps: [{ kind: 'SOURCE_OF_FUNDS_WEALTH' }],
    });
    await post(`/wallet-verification/${id}/verification`, { verificationFlow: 'VISUAL_PROOF' });
    await post(paperPath(id), {}, png({ text: 'a statement' }));
    await decide(id, 'DECLINED');
    expect((await tenant.patch(paperPath(id), { status: 'VERIFIED' })).status).toBe(200);
    await age(id, 91);
    expect(await remove('refusedFiles')).toBe(1);
    expect(await isKept(id)).toBe(true);
  });
});

describe('a paper that nobody had decided when its verification ended', () => {
  const paperPath = (id: string) => `/wallet-verification/${id}/additional-steps/SOURCE_OF_FUNDS_WEALTH`;

  async function undecided(): Promise<string> {
    const { id } = await createVerification(tenant, {
      allowedFlows: ['VISUAL_PROOF'],
      additionalSteps: [{ kind: 'SOURCE_OF_FUNDS_WEALTH' }],
    });
    await post(`/wallet-verification/${id}/verification`, { verificationFlow: 'VISUAL_PROOF' });
    await post(paperPath(id), {}, png({ text: 'a statement' }));
    await decide(id, 'DECLINED');
    return id;
  }

  test('goes 90 days after a reviewer declined it, and the proof 90 days after the end', async () => {
    const id = await undecided();
    await age(id, 60);
    expect((await tenant.patch(paperPath(id), { status: 'DECLINED' })).status).toBe(200);
    await age(id, 31);
    expect(await remove('refusedFiles')).toBe(1);
    expect(await isKept(id)).toBe(true);
    await age(id, 58);
    expect(await remove('refusedFiles')).toBe(0);
    await age(id, 2);
    expect(await remove('refusedFiles')).toBe(1);
  });

  test('that is declined and given again: each goes 90 days after its own refusal', async () => {
    const id = await undecided();
    await age(id, 60);
    await tenant.patch(paperPath(id), { status: 'DECLINED' });
    await age(id, 60);
    expect(await remove('refusedFiles')).toBe(1);
    expect((await post(paperPath(id), {}, png({ text: 'another' }))).status).toBe(200);
    await tenant.patch(paperPath(id), { status: 'DECLINED' });
    await age(id, 31);
    expect(await remove('refusedFiles')).toBe(1);
    expect(await isKept(id)).toBe(true);
    await age(id, 60);
    expect(await remove('refusedFiles')).toBe(1);
  });

  test('goes 90 days after the end if nobody ever decides it, also when it is deleted later', async () => {
    const id = await undecided();
    await age(id, 60);
    expect((await tenant.delete(`/wallet-verification/${id}`)).status).toBe(204);
    await age(id, 31);
    expect(await remove('refusedFiles')).toBe(2);
  });
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
  ).rejects.toThrow('1 files could not be removed from the storage');
  expect(await isKept(id)).toBe(true);
  await remove('refusedFiles');
  expect(await isKept(id)).toBe(false);
});

test('a file that cannot be deleted keeps no other from it, whoever marked it first', async () => {
  const [first, second] = [await proof(), await proof()];
  for (const [id, days] of [
    [first, 93],
    [second, 91],
  ] as const) {
    await decide(id, 'DECLINED');
    await age(id, days);
  }
  const { storage } = api.deps;
  const tried: string[] = [];
  const deleteAllBut = async (key: string) => {
    tried.push(key);
    if (key.includes(first)) throw new Error('no permission');
    await storage.delete(key);
  };
  const activities = housekeepingActivities({ db: api.db, storage: { ...storage, delete: deleteAllBut } });
  await expect(
    new MockActivityEnvironment().run(async () => await activities.removeExpired({ what: 'refusedFiles' })),
  ).rejects.toMatchObject({
    message: '1 files could not be removed from the storage',
    cause: { message: 'no permission' },
  });
  expect([await isKept(first), await isKept(second)]).toEqual([true, false]);
  expect(tried).toHaveLength(2);
  await remove('refusedFiles');
  expect(await isKept(first)).toBe(false);
});
