import knex, { type Knex } from 'knex';
import { down, up } from '../../../db/migrations/20261123_0060_ask_two_people.ts';
import type { Proposal } from '../../../domain/proposals/schema.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import { createPerson, mailedToken } from '../../factories/people.ts';
import { createTransaction, evmAddress } from '../../factories/transaction.ts';
import { createUser, PASSWORD } from '../../factories/user.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);

let db: Knex;
beforeAll(() => {
  db = knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 1 } });
});
afterAll(async () => await db.destroy());

/** A held transaction on which a key has proposed PROCEED, as the version before stored it. */
async function proposedByKey(): Promise<string> {
  const { id } = await createTransaction(tenant, {
    direction: 'INCOMING',
    vaspInfo: { originatorVaspName: 'Far Away Exchange' },
    blockchainInfo: { blockchain: 'Ethereum', destination: evmAddress(), destinationType: 'CUSTODIAL' },
  });
  await db.raw(
    `insert into events (subject_id, sequence, id, tenant_id, subject_kind, version, type, created_at, actor, api_key_id, message,
       data, hash)
     select id, sequence + 1, gen_random_uuid(), tenant_id, 'TRANSACTION', version + 1, 'REVIEW_PROPOSED', now(), 'API_KEY', ?,
       'A first reviewer would let it pass; a second one has to agree.', '{}', 'x'
     from transactions where id = ?`,
    [tenant.apiKeyId, id],
  );
  await db.raw(
    `update transactions set sequence = sequence + 1, version = version + 1, hold = 'RULE', screening_state = 'CLEARED'
     where id = ?`,
    [id],
  );
  return id;
}

test('what a key had proposed waits for a user; who came by an invitation has proven the mailbox', async () => {
  const [id, changed] = [await proposedByKey(), await proposedByKey()];
  await db.raw('update transactions set version = version + 1, sequence = sequence + 1 where id = ?', [
    changed,
  ]);
  const email = 'guest@alpine.example';
  const { body: guest } = await tenant.post('/users/invitations', { email, role: 'COMPLIANCE' });
  const body = { token: await mailedToken(api, email), password: PASSWORD };
  expect((await api.request('POST', '/auth/password', { body })).status).toBe(201);
  const { user: made } = await createUser(api, tenant, 'COMPLIANCE');
  await db.raw(`update tenants set settings = '{"fourEyes": {"review": true}}' where id = ?`, [tenant.id]);
  await db.transaction(down);
  await db.transaction(up);
  const { rows } = await database.pool.query<{ id: string }>(
    'select id from users where proven_at is not null',
  );
  expect(rows.map((row) => row.id)).toEqual([guest['id']]);
  expect(rows.map((row) => row.id)).not.toContain(made.id);
  const { body: proposals } = await tenant.get<Proposal[]>('/proposals');
  expect(proposals).toMatchObject([
    { resource: { id }, request: null, proposedBy: { kind: 'API_KEY', id: tenant.apiKeyId } },
  ]);
  const second = await createPerson(api, tenant);
  expect((await second.post<Proposal>(`/proposals/${proposals[0]?.id}/approve`)).body.status).toBe(
    'CARRIED_OUT',
  );
  expect((await tenant.get<Transaction>(`/transactions/${id}`)).body.status).toBe('CONFIRMED');
});
