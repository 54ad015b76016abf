import { z } from 'zod';
import { listQuery } from '../list-query.ts';
import { text } from '../schema-fields.ts';
import { BRAKE_KINDS, BRAKE_STATES, brakeState, DEFAULT_RATE, MAX_RATE, type BrakeRecord } from './brake.ts';

/** The body of `POST /tenant/me/brakes` and of `POST /operator/tenants/{id}/brakes`. */
export const SetBrakeBody = z
  .strictObject({
    kind: z
      .enum(BRAKE_KINDS)
      .describe(
        'OUTGOING: no message leaves, and no payout to a self-hosted wallet is confirmed by itself. INCOMING: no message arrives. ' +
          'WEBHOOKS: none is sent.',
      ),
    counterpartyEntityId: z
      .uuid()
      .toLowerCase()
      .optional()
      .describe('Holds back the messages to or from this VASP alone. Not with WEBHOOKS.'),
    reason: text(2_000).describe('Why; stored encrypted.'),
  })
  .refine(({ kind, counterpartyEntityId }) => kind !== 'WEBHOOKS' || counterpartyEntityId === undefined, {
    path: ['counterpartyEntityId'],
    message: 'Webhooks are held back as a whole.',
  })
  .meta({ id: 'SetBrake' });
export type SetBrakeBody = z.infer<typeof SetBrakeBody>;

/** The body of the release of a brake. */
export const ReleaseBrakeBody = z
  .strictObject({
    perSecond: z
      .int()
      .min(1)
      .max(MAX_RATE)
      .default(DEFAULT_RATE)
      .describe('How many messages or webhooks are taken up again each second, the oldest first.'),
  })
  .meta({ id: 'ReleaseBrake' });

const BrakeParty = z
  .strictObject({
    kind: z.enum(['OPERATOR', 'API_KEY', 'USER']).describe('What it is.'),
    id: z.string().describe('The id of the key or user, or the name of the operator’s key.'),
  })
  .meta({ id: 'BrakeParty' });

/** A brake as tenants and operators read it. */
export const Brake = z
  .strictObject({
    id: z.uuid(),
    kind: z.enum(BRAKE_KINDS).describe('What it holds back.'),
    counterpartyEntityId: z.uuid().nullable().describe('Null: for all counterparties.'),
    state: z
      .enum(BRAKE_STATES)
      .describe(
        'ON: it holds back. RELEASING: what it held back is being taken up again. RELEASED: that is done.',
      ),
    reason: z.string().describe('Why it was set.'),
    setBy: BrakeParty.describe('Who has set it.'),
    setAt: z.iso.datetime().describe('Since when it holds back.'),
    releasedBy: BrakeParty.nullable().describe('Who has ended it; null while it is on.'),
    releasedAt: z.iso.datetime().nullable().describe('When it was ended; null while it is on.'),
    perSecond: z.int().nullable().describe('The rate of the release; null before it.'),
    waiting: z.int().describe('Messages or webhooks that wait at this moment.'),
    resumed: z.int().describe('Messages or webhooks that were taken up again.'),
    finishedAt: z.iso.datetime().nullable().describe('When the last of them was taken up again.'),
  })
  .meta({ id: 'Brake' });
type Brake = z.infer<typeof Brake>;

/** The query of the lists of brakes. */
export const ListBrakesQuery = listQuery({
  sortable: ['setAt'],
  filters: { _state: z.enum(BRAKE_STATES).describe('Only brakes in this state.') },
});
export type BrakeList = z.output<typeof ListBrakesQuery>;

/** A brake with the number of what waits because of it. */
export interface ShownBrake {
  brake: BrakeRecord;
  waiting: number;
}

export function viewBrake({ brake, waiting }: ShownBrake): Brake {
  const { tenantId: _tenant, setAt, releasedAt, finishedAt, ...rest } = brake;
  return {
    ...rest,
    state: brakeState(brake),
    setAt: setAt.toISOString(),
    releasedAt: releasedAt?.toISOString() ?? null,
    waiting,
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}
