import knex, { type Knex } from 'knex';
import { down, up } from '../../../db/migrations/20261122_0038_weigh_proofs.ts';
import * as dateRefusedFiles from '../../../db/migrations/20261122_0043_date_refused_files.ts';
import { createVerification, readVerification } from '../../factories/verification.ts';
import { evmAddress, registerWallet } from '../../factories/transaction.ts';
import { createTenant } from '../../factories/tenant.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);

let db: Knex;
beforeAll(() => {
  db = knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 1 } });
});
afterAll(async () => await db.destroy());

/** 0043 stands on the indexes of 0038. */
async function takeDown(): Promise<void> {
  await db.transaction(dateRefusedFiles.down);
  await db.transaction(down);
}

async function takeUp(): Promise<void> {
  await db.transaction(up);
  await db.transaction(dateRefusedFiles.up);
}

test.each<[string, string, number, object]>([
  ['expired', `status = 'FAILED', failure_code = 'EXPIRED'`, 0, { riskScore: 60, riskSeverity: 'medium' }],
  ['of ten wrong proofs', `status = 'FAILED', failure_code = 'TOO_MANY_ATTEMPTS'`, 0, { riskScore: 80 }],
  ['declined', `status = 'DECLINED', flow = 'VISUAL_PROOF'`, 34, { riskScore: 80, riskSeverity: 'high' }],
  ['revoked', `status = 'DECLINED', failure_code = 'REVOKED'`, 5, { riskScore: 80 }],
  ['listed', `status = 'FAILED', failure_code = 'EXPIRED'`, 100, { riskScore: 100 }],
  ['pending', `status = 'PENDING'`, 0, { riskScore: 0, riskSeverity: 'low' }],
  ['verified', `status = 'VERIFIED', flow = 'SIGNATURE_PROOF'`, 5, { riskScore: 5, riskSeverity: 'low' }],
])('migration 0038 raises the score of one that failed: %s', async (_what, columns, before, after) => {
  const { id } = await createVerification(tenant);
  await takeDown();
  await db.raw(`update verifications set ${columns}, risk_score = ${before} where id = ?`, [id]);
  await takeUp();
  expect(await readVerification(tenant, id)).toMatchObject(after);
});

test('migration 0038 trusts no earlier satoshi test at an address that another tenant registered too', async () => {
  const other = await createTenant(api);
  const [own, shared] = [evmAddress(), evmAddress()];
  await registerWallet(other, shared);
  const ids = await Promise.all([own, shared].map(provenAt));
  await takeDown();
  await takeUp();
  const { rows } = await database.pool.query<{ chosen: boolean }>(
    'select is_satoshi_chosen as chosen from verifications where id = any($1::uuid[]) order by id = $2',
    [ids, ids[1]],
  );
  expect(rows.map(({ chosen }) => chosen)).toEqual([false, true]);
});

async function provenAt(deposit: string): Promise<string> {
  const { id } = await createVerification(tenant);
  await registerWallet(tenant, deposit);
  await db.raw('update verifications set satoshi_deposit_normal = ? where id = ?', [
    deposit.toLowerCase(),
    id,
  ]);
  return id;
}
