import { changeVerification } from '../../../db/verifications/change-verification.ts';
import { expireDueVerifications } from '../../../db/verifications/expire-due.ts';
import { verifyEvents } from '../../../db/events/verify-events.ts';
import { declareOwnership } from '../../../domain/verifications/submission.ts';
import { bulkVerifications } from '../../factories/bulk-verifications.ts';
import { WEBHOOK_URL, type TestTenant } from '../../factories/tenant.ts';
import { createVerification, readVerification } from '../../factories/verification.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenants = [useTenant(api, { webhookUrl: WEBHOOK_URL }), useTenant(api, { webhookUrl: WEBHOOK_URL })];

const ENDING = 10_000;

const count = async (sql: string) =>
  (await database.pool.query<{ n: number }>(`select count(*)::int as n from ${sql}`)).rows[0]?.n;

test(`${ENDING} that end in one minute are all marked within it, each once with one webhook, however many processes do it`, async () => {
  const [one, other] = tenants as [TestTenant, TestTenant];
  const ids = [
    ...(await bulkVerifications(api.db, one.id, ENDING * 0.6, { expiresInHours: 1 })),
    ...(await bulkVerifications(api.db, other.id, ENDING * 0.4, { expiresInHours: 1 })),
  ];
  await bulkVerifications(api.db, one.id, 50, { expiresInHours: 3 });
  const now = new Date(Date.now() + 2 * 3_600_000);
  const rounds = async (): Promise<number> => {
    const { expired } = await expireDueVerifications(api.db, now, []);
    return expired === 0 ? 0 : expired + (await rounds());
  };
  const startedAt = Date.now();
  const expired = await Promise.all([rounds(), rounds(), rounds()]);
  expect(Date.now() - startedAt).toBeLessThan(240_000);
  expect(expired.reduce((sum, count) => sum + count, 0)).toBe(ids.length);
  expect(await count(`verifications where status = 'FAILED' and failure_code = 'EXPIRED'`)).toBe(ENDING);
  expect(await count(`events where type = 'EXPIRED'`)).toBe(ENDING);
  expect(await count(`webhook_deliveries where kind = 'wallet-verification'`)).toBe(ENDING);
  expect(await count(`verifications where status = 'PENDING'`)).toBe(50);
  expect((await verifyEvents(api.db, ids[0])).faults).toEqual([]);
});

test('a proof that is just being given wins over the end of its time', async () => {
  const [tenant] = tenants as [TestTenant];
  const { id } = await createVerification(tenant, { expiresInHours: 1 });
  const later = new Date(Date.now() + 2 * 3_600_000);
  const marking: Promise<unknown>[] = [];
  await changeVerification(api.db, {
    tenantId: tenant.id,
    id,
    now: new Date(),
    decide: (record) => {
      // The row is locked now: whoever marks must leave it out instead of waiting.
      marking.push(expireDueVerifications(api.db, later, []));
      return declareOwnership(record, { actor: { kind: 'SYSTEM' }, now: new Date() });
    },
  });
  await Promise.all(marking);
  await expireDueVerifications(api.db, later, []);
  expect(await readVerification(tenant, id)).toMatchObject({ status: 'VERIFIED' });
});

test('the log of every verification is a sound chain', async () => {
  const { checked, faults } = await verifyEvents(api.db);
  expect(checked).toBeGreaterThan(ENDING);
  expect(faults).toEqual([]);
  const { rows } = await database.pool.query<{ id: string }>(
    `update verifications set head = '\\x00' where id = (select id from verifications limit 1) returning id`,
  );
  expect((await verifyEvents(api.db)).faults.map(({ id }) => id)).toEqual([rows[0]?.id]);
});
