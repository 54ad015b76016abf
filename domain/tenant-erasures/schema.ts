import { z } from 'zod';
import { listQuery } from '../list-query.ts';
import { text } from '../schema-fields.ts';
import { ERASURE_STATES, type TenantErasure as StoredErasure } from './tenant-erasure.ts';

/** The body of `POST /operator/tenants/{id}/erasure`. */
export const PlanErasureBody = z
  .strictObject({
    reason: text(2_000).describe(
      'Why, such as the contract that has ended; stored encrypted. It stays after the erasure, so it should name no customer.',
    ),
    override: z
      .boolean()
      .default(false)
      .describe('Whether records that are under retention or a legal hold are erased all the same.'),
  })
  .meta({ id: 'PlanErasure' });

/** The body of `POST /operator/tenants/{id}/erasure/approve`. */
export const ApproveErasureBody = z
  .strictObject({
    override: z
      .boolean()
      .default(false)
      .describe('Confirms that records which have to be kept are erased; it has to be as in the plan.'),
  })
  .meta({ id: 'ApproveErasure' });

const count = z.int().min(0);
const moment = z.iso.datetime();

/** The erasure of a tenant as operators read it. */
export const TenantErasure = z
  .strictObject({
    id: z.uuid(),
    tenantId: z.uuid().describe('The tenant; its id stays when it is erased.'),
    state: z
      .enum(ERASURE_STATES)
      .describe(
        'PLANNED: it waits for a second operator. APPROVED: it waits for its day. RUNNING: the tenant is gone for everybody, its ' +
          'data is being removed. ERASED: that is done. CALLED_OFF: an operator has ended it. REFUSED: on its day there were ' +
          'records that have to be kept, which nobody had overridden.',
      ),
    reason: z.string().describe('Why it was planned.'),
    override: z.boolean().describe('Whether records that have to be kept are erased all the same.'),
    plannedFor: moment.describe('The day of the erasure; it begins then, or with a later approval.'),
    plannedBy: z.string().describe('The name of the key of the operator who planned it.'),
    plannedAt: moment.describe('When it was planned.'),
    approvedBy: z.string().nullable().describe('The name of the key of the operator who approved it.'),
    approvedAt: moment.nullable().describe('When it was approved.'),
    calledOffBy: z.string().nullable().describe('The name of the key of the operator who called it off.'),
    calledOffAt: moment.nullable().describe('When it was called off.'),
    startedAt: moment.nullable().describe('Since when the tenant is gone for everybody.'),
    finishedAt: moment.nullable().describe('When nothing of it was left.'),
    underRetention: count.describe(
      'Records whose retention is not over on the day, as counted at the plan, the approval or the beginning, whichever was last.',
    ),
    legalHolds: count.describe('Transactions with a legal hold, counted at the same time.'),
    erased: z
      .strictObject({
        transactions: count.describe('Transactions, deleted ones too.'),
        claims: count.describe('Claims of both directions.'),
        verifications: count.describe('Verifications, deleted ones too.'),
      })
      .meta({ id: 'ErasedRecords' })
      .describe('How many records were erased; 0 until it is done.'),
  })
  .meta({ id: 'TenantErasure' });
type TenantErasure = z.infer<typeof TenantErasure>;

/** The query of `GET /operator/erasures`. */
export const ListErasuresQuery = listQuery({
  sortable: ['plannedAt'],
  filters: {
    _state: z.enum(ERASURE_STATES).describe('Only erasures in this state.'),
    _tenantId: z.uuid().toLowerCase().describe('Only those of this tenant.'),
  },
});
export type ErasureList = z.output<typeof ListErasuresQuery>;

export function viewErasure(erasure: StoredErasure): TenantErasure {
  const { overrides, ...rest } = erasure;
  return {
    ...rest,
    override: overrides,
    plannedFor: erasure.plannedFor.toISOString(),
    plannedAt: erasure.plannedAt.toISOString(),
    approvedAt: textOf(erasure.approvedAt),
    calledOffAt: textOf(erasure.calledOffAt),
    startedAt: textOf(erasure.startedAt),
    finishedAt: textOf(erasure.finishedAt),
  };
}

function textOf(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
