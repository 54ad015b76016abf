import type { Json } from '../../api-client.ts';
import { objectsIn, outcomeOf, textsIn } from '../../factories/evidence-archive.ts';
import { decide } from '../../factories/rule-decisions.ts';
import { configurations, draft, rule } from '../../factories/rules.ts';
import { WEBHOOK_URL } from '../../factories/tenant.ts';
import { createMessagePair, letPass } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api, { webhookUrl: WEBHOOK_URL });
const receiver = useTenant(api);

/** More versions of a message than one batch has; each is screened and decided. */
const ROUNDS = 60;

test('evidence of more rows than a batch has is whole, and has each of them once', async () => {
  const { OUTGOING } = await configurations(tenant);
  await draft(tenant, OUTGOING.id, [rule()]);
  await tenant.post(`/rule-engine/${OUTGOING.id}/publish`, { comment: 'x' });
  const { outgoingId: id } = await createMessagePair(api, tenant, receiver);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const origin = `0x${round.toString(16).padStart(40, '0')}`;
    const patched = await tenant.patch(`/transactions/${id}`, {
      originator: { name: `Anna Keller ${round}` },
      blockchainInfo: { origin },
    });
    expect(patched.status).toBeLessThan(300);
    await letPass(api.db, id);
    await decide(api.db, { tenantId: tenant.id, id, facts: { amount: `${round}` } });
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
  const answer = await fetch(`${api.url}/transactions/${id}/evidence`, {
    headers: { 'X-Api-Key': tenant.apiKey },
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
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
    'decisions.jsonl': await rowsIn('rule_decisions', 'transaction_id'),
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
