import type { Json } from '../../api-client.ts';
import { objectsIn, outcomeOf, startEvidence, textsIn } from '../../factories/evidence-archive.ts';
import { settleJudged, untilListsLoaded } from '../../factories/judged.ts';
import { configurations, draft, rule } from '../../factories/rules.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { WEBHOOK_URL } from '../../factories/tenant.ts';
import { createMessagePair, createTransaction, letPass } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api, { webhookUrl: WEBHOOK_URL });
const receiver = useTenant(api);

/** More versions of a message than one batch has; each is screened and decided. */
const ROUNDS = 60;
/** More decisions than one batch has. */
const DECISIONS = 23;

test('evidence of more rows than a batch has is whole, and has each of them once', async () => {
  const { outgoingId: id } = await createMessagePair(api, tenant, receiver);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const origin = `0x${round.toString(16).padStart(40, '0')}`;
    const patched = await tenant.patch(`/transactions/${id}`, {
      originator: { name: `Anna Keller ${round}` },
      blockchainInfo: { origin },
    });
    expect(patched.status).toBeLessThan(300);
    await letPass(api.db, id);
  }
  await database.pool.query(
    `insert into webhook_deliveries (id, tenant_id, kind, resource_kind, resource_id, resource_version, body, status, created_at)
     select gen_random_uuid(), tenant_id, 'transaction', 'TRANSACTION', id, 1, '', 'GAVE_UP', now()
     from transactions, generate_series(1, 1100) where id = $1`,
    [id],
  );
  await database.pool.query(
    `insert into webhook_attempts (delivery_id, attempt, tenant_id, started_at, duration_ms)
     select id, attempt, tenant_id, now(), 1 from webhook_deliveries, generate_series(1, 2) attempt where resource_id = $1`,
    [id],
  );
  const bytes = await (await startEvidence(api, { tenant, id }))();
  const { broken, whole } = await outcomeOf(bytes, [api.db.vault.seals.publicKey]);
  expect(broken).toBeNull();
  const texts = await textsIn(bytes);
  const rowsIn = async (table: string, column: string) =>
    Number(
      (await database.pool.query<Json>(`select count(*) from ${table} where ${column} = $1`, [id])).rows[0]?.[
        'count'
      ],
    );
  const counted = {
    'events.jsonl': await rowsIn('events', 'subject_id'),
    'messages.jsonl': await rowsIn('payload_versions', 'transaction_id'),
    'screenings.jsonl': await rowsIn('transaction_screenings', 'transaction_id'),
    'webhooks.jsonl': await rowsIn('webhook_deliveries', 'resource_id'),
    'webhook-attempts.jsonl': 2 * (await rowsIn('webhook_deliveries', 'resource_id')),
  };
  for (const count of Object.values(counted)) expect(count).toBeGreaterThanOrEqual(ROUNDS);
  const linesOf = (path: string) => objectsIn(texts[path]).length;
  expect(Object.fromEntries(Object.keys(counted).map((path) => [path, linesOf(path)]))).toEqual(counted);
  expect(whole?.messages).toBe(counted['messages.jsonl']);
  expect(new Set(objectsIn(texts['webhooks.jsonl']).map((webhook) => webhook['id'])).size).toBe(
    counted['webhooks.jsonl'],
  );
});

test('so has that of a message that was decided more often than that', async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Somebody Else')]);
  await untilListsLoaded(api, tenant.id);
  const { OUTGOING } = await configurations(tenant);
  const all = { conditions: { field: 'amount', operator: 'GT', value: '0' }, decision: 'REVIEW' };
  await draft(tenant, OUTGOING.id, [rule(all)]);
  await tenant.post(`/rule-engine/${OUTGOING.id}/publish`, { comment: 'x' });
  const { id } = await createTransaction(tenant);
  await settleJudged(api, id);
  for (let round = 2; round <= DECISIONS; round += 1) {
    await tenant.patch(`/transactions/${id}`, { originator: { name: `Anna Keller ${round}` } });
    await settleJudged(api, id);
  }
  const bytes = await (await startEvidence(api, { tenant, id }))();
  expect((await outcomeOf(bytes, [api.db.vault.seals.publicKey])).broken).toBeNull();
  expect(objectsIn((await textsIn(bytes))['decisions.jsonl'])).toHaveLength(DECISIONS);
});
