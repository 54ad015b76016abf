import type { DialogAct } from '../act-dialog.ts';
import type { Schemas } from '../api-types.ts';
import { send } from '../exchange.ts';
import { count } from '../values.ts';

export type Brake = Schemas['Brake'];

const HELD_BACK: Readonly<Record<Brake['kind'], string>> = {
  OUTGOING: 'Outgoing messages',
  INCOMING: 'Incoming messages',
  WEBHOOKS: 'Webhooks',
};
const MAX_RATE = 100;

export function heldBack(kind: Brake['kind']): string {
  return HELD_BACK[kind];
}

/** Sets a brake for all counterparties, or for one. */
export function setBrake(again: () => void, counterparty?: { id: string; name: string }): DialogAct {
  const kinds: Brake['kind'][] = counterparty
    ? ['OUTGOING', 'INCOMING']
    : ['OUTGOING', 'INCOMING', 'WEBHOOKS'];
  return {
    key: `brake/${counterparty?.id ?? 'all'}`,
    title: counterparty ? `Hold back messages of ${counterparty.name}` : 'Hold back messages or webhooks',
    explanation:
      'Nothing is lost and nothing is refused: what is accepted waits until you release it. Answers, cancellations and claims go on.',
    label: 'Hold back',
    isDanger: true,
    fields: [
      {
        name: 'kind',
        label: 'What',
        kind: 'choice',
        isRequired: true,
        value: 'OUTGOING',
        options: kinds.map((value) => ({ value, label: heldBack(value) })),
      },
      { name: 'reason', label: 'Reason', kind: 'long', isRequired: true },
    ],
    onConflict: again,
    run: async ({ kind: chosen, reason = '' }) => {
      const kind = kinds.find((known) => known === chosen) ?? 'OUTGOING';
      const whose = counterparty && { counterpartyEntityId: counterparty.id };
      await send('POST', '/tenant/me/brakes', { body: { kind, reason: reason.trim(), ...whose } });
      again();
      return 'It is held back from now on. Release it under Brakes.';
    },
  };
}

export function releaseBrake({ id, kind, waiting }: Brake, again: () => void): DialogAct {
  return {
    key: `release/${id}`,
    title: `Release: ${heldBack(kind).toLowerCase()}`,
    explanation: `${count(waiting)} ${waiting === 1 ? 'waits' : 'wait'}. They are taken up again, the oldest first; messages are screened again before they go.`,
    label: 'Release',
    fields: [
      {
        name: 'perSecond',
        label: 'How many each second',
        kind: 'number',
        isRequired: true,
        value: '20',
        hint: `1 to ${count(MAX_RATE)}. A low number spares whoever receives them.`,
      },
    ],
    onConflict: again,
    run: async ({ perSecond }) => {
      const body = { perSecond: Number(perSecond) };
      await send('POST', '/tenant/me/brakes/{id}/release', { path: { id }, body });
      again();
      return 'The release has begun.';
    },
  };
}
