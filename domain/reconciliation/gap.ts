import { z } from 'zod';
import { DIRECTIONS, type Direction } from '../direction.ts';
import { listQuery, oneOrMore } from '../list-query.ts';
import { STATUSES, type Status } from '../transactions/state.ts';

/** What a transfer lacks: the transaction hash, the answer of the beneficiary VASP, or the message of the originator VASP. */
export const GAP_KINDS = ['HASH_MISSING', 'ANSWER_MISSING', 'MESSAGE_MISSING'] as const;
export type GapKind = (typeof GAP_KINDS)[number];

/** Hours after its creation from which a transaction is listed. */
export const GRACE_HOURS: Record<GapKind, number> = {
  HASH_MISSING: 24,
  ANSWER_MISSING: 72,
  MESSAGE_MISSING: 24,
};

const GAP_ACTIONS = [
  'ADD_HASH',
  'ADD_BLOCKCHAIN',
  'CLAIM',
  'CONTACT_COUNTERPARTY',
  'DECIDE_ON_ASSETS',
  'FIX_ROUTING',
  'PROVIDE_DATA',
  'RETRY',
  'REVIEW',
  'WAIT_FOR_COUNTERPARTY',
] as const;
export type GapAction = (typeof GAP_ACTIONS)[number];

/** A transaction that lacks something. It names nobody: the record shows what a role may see. */
export interface GapRecord {
  kind: GapKind;
  transactionId: string;
  direction: Direction;
  status: Status;
  reference: string | null;
  counterpartyEntityId: string | null;
  claimId: string | null;
  since: Date;
  nextAction: GapAction;
}

export const ReconciliationItem = z
  .strictObject({
    kind: z.enum(GAP_KINDS).describe('What the transfer lacks.'),
    transactionId: z.uuid(),
    direction: z.enum(DIRECTIONS),
    status: z.enum(STATUSES),
    reference: z.string().nullable(),
    counterpartyEntityId: z.uuid().nullable(),
    claimId: z
      .uuid()
      .nullable()
      .describe('The latest claim for the data of a deposit; null if there is none.'),
    since: z.iso.datetime().describe('When the transaction was created.'),
    nextAction: z
      .enum(GAP_ACTIONS)
      .describe('What closes the gap: `clearance.nextAction` where that names it, else a step of its own.'),
  })
  .meta({ id: 'ReconciliationItem' });
export type ReconciliationItem = z.infer<typeof ReconciliationItem>;

/** The query of `GET /reconciliation`. */
export const ListReconciliationQuery = listQuery({
  sortable: ['since'],
  filters: {
    _kind: oneOrMore(z.enum(GAP_KINDS)),
    _nextAction: oneOrMore(z.enum(GAP_ACTIONS)).describe('What ends the gap; one or several.'),
    _counterpartyEntityId: z.uuid().toLowerCase().describe('The other VASP of the transaction.'),
  },
});
export type GapList = z.output<typeof ListReconciliationQuery>;

export function viewGap({ since, ...gap }: GapRecord): ReconciliationItem {
  return { ...gap, since: since.toISOString() };
}

/** The most transactions of a kind that one webhook names. */
export const MAX_ANNOUNCED = 100;

/** The body of the webhook `reconciliation`. */
export const ReconciliationReport = z
  .strictObject({
    asOf: z.iso.datetime().describe('When they were found.'),
    found: z
      .array(
        z
          .strictObject({
            kind: z.enum(GAP_KINDS).describe('What the transfers lack.'),
            count: z.int().describe('How many were found for the first time.'),
            transactionIds: z.array(z.uuid()).describe(`The oldest of them, at most ${MAX_ANNOUNCED}.`),
          })
          .meta({ id: 'FoundGaps' }),
      )
      .describe(
        'What was found for the first time. `GET /reconciliation` lists everything, with next actions.',
      ),
  })
  .meta({ id: 'ReconciliationReport' });
export type ReconciliationReport = z.infer<typeof ReconciliationReport>;
