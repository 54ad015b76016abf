import knex, { type Knex } from 'knex';
import { down, up } from '../../../db/migrations/20261122_0038_weigh_proofs.ts';
import { createVerification, readVerification } from '../../factories/verification.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);

let db: Knex;
beforeAll(() => {
  db = knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 1 } });
});
afterAll(async () => await db.destroy());

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
  await db.transaction(down);
  await db.raw(`update verifications set ${columns}, risk_score = ${before} where id = ?`, [id]);
  await db.transaction(up);
  expect(await readVerification(tenant, id)).toMatchObject(after);
});
