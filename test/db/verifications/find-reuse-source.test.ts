import { randomUUID } from 'node:crypto';
import { inTransaction } from '../../../db/postgres.ts';
import { getVerification, lockVerification } from '../../../db/verifications/find-verification.ts';
import { findReuseSource } from '../../../db/verifications/find-reuse-source.ts';
import { isReuseSource, UNFIT_WARNINGS } from '../../../domain/verifications/reuse.ts';
import { WARNINGS } from '../../../domain/verifications/risk.ts';
import { FLOWS, VERIFICATION_STATUSES } from '../../../domain/verifications/state.ts';
import { createVerification } from '../../factories/verification.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);

const reuse = {
  subject: { type: 'NATURAL', nameHash: 'ab'.repeat(32) },
  policy: { minimumMatchLevel: 'LOW' },
};

const PROVEN = { status: 'VERIFIED', flow: 'SIGNATURE_PROOF', warnings: [] as string[], verified: true };
const cases = [
  ...VERIFICATION_STATUSES.map((status) => ({ ...PROVEN, status })),
  ...[null, ...FLOWS].map((flow) => ({ ...PROVEN, flow })),
  ...WARNINGS.map((warning) => ({ ...PROVEN, warnings: [warning] })),
  { ...PROVEN, warnings: ['UNBOUND_MESSAGE', 'WRONG_AMOUNT'] },
  { ...PROVEN, warnings: ['UNBOUND_MESSAGE', 'PROOF_REORGED'] },
  { ...PROVEN, flow: 'SATOSHI_TEST', chosen: true },
  { ...PROVEN, chosen: true },
  { ...PROVEN, code: null },
  { ...PROVEN, result: { matchLevel: 'LOW', matchedAttributes: [], policy: {}, verifiedAt: '2026-11-21' } },
  { ...PROVEN, deleted: true },
];

test.each(cases)('the query and the record agree on whether %j is a source', async (state) => {
  const made = await createVerification(tenant, { reuse });
  await database.pool.query(
    `update verifications set status = $2, flow = $3, warnings = $4, verified_at = now(), reuse_result = $5,
       reuse_code = case when $6 then null else reuse_code end, deleted_at = case when $7 then now() end, is_satoshi_chosen = $8
     where id = $1`,
    [
      made.id,
      state.status,
      state.flow,
      JSON.stringify(state.warnings),
      'result' in state ? JSON.stringify(state.result) : null,
      'code' in state,
      'deleted' in state,
      'chosen' in state,
    ],
  );
  const asker = await createVerification(tenant, { address: made.address });
  const { record } = await getVerification(api.db, tenant.id, asker.id);
  const asking = {
    ...record,
    reuseRequest: { subjectType: 'NATURAL', policy: { minimumMatchLevel: 'LOW', maxReuseAgeDays: null } },
  } as const;
  const [stored, found] = await inTransaction(api.db.pool, async (tx) => [
    await lockVerification(api.db, tx, tenant.id, made.id),
    await findReuseSource(tx, asking, [], new Date()),
  ]);
  expect(stored && isReuseSource(stored.record)).toBe(found !== undefined);
  if (found) expect(found).toMatchObject({ id: made.id, level: 'LOW' });
});

test('most states are no source, some warnings do not matter', () => {
  const fit = WARNINGS.filter((warning) => !UNFIT_WARNINGS.includes(warning));
  expect(fit).toEqual(expect.arrayContaining(['UNBOUND_MESSAGE', 'WRONG_AMOUNT']));
});

test('a verification that asks for nothing finds nothing, without a look', async () => {
  const { record } = await getVerification(api.db, tenant.id, (await createVerification(tenant)).id);
  const untouched = { query: async () => await Promise.reject(new Error('asked')) };
  expect(await findReuseSource(untouched, { ...record, id: randomUUID() }, [], new Date())).toBeUndefined();
});
