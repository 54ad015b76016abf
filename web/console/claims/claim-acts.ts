import type { OfferedAct } from '../act-bar.ts';
import { openAct, type DialogAct } from '../act-dialog.ts';
import { send } from '../exchange.ts';
import { session } from '../session.ts';
import { fieldWords } from '../words.ts';
import { isOpen, type TransferClaim } from './claim-list.ts';

/** What the person can do with a claim now. */
export function claimActs(claim: TransferClaim, again: () => void): OfferedAct[] {
  if (!session.may('DECIDE') || !isOpen(claim.status)) return [];
  if (claim.direction === 'OUTGOING') {
    return [
      {
        label: 'Take it back',
        key: 'c',
        tone: 'danger',
        start: () => openAct(end(claim, 'CANCELLED', again)),
      },
    ];
  }
  return [
    { label: 'Answer', key: 'a', tone: 'primary', start: () => openAct(answer(claim, again)) },
    { label: 'Name the transaction', key: 't', start: () => openAct(nameTransaction(claim, again)) },
    { label: 'Decline', key: 'd', tone: 'danger', start: () => openAct(end(claim, 'DECLINED', again)) },
  ];
}

function answer({ id, requestedFields }: TransferClaim, again: () => void): DialogAct {
  const asked = requestedFields.filter(
    (name) => name.startsWith('originator.') && name !== 'originator.name',
  );
  return {
    key: `answer/${id}`,
    title: 'Say who sent this transfer',
    label: 'Send the answer',
    explanation: 'The VASP that asks gets what you write here.',
    fields: [
      {
        name: 'type',
        label: 'The sender is a',
        kind: 'choice',
        value: 'NATURAL',
        options: [
          { value: 'NATURAL', label: 'Person' },
          { value: 'LEGAL', label: 'Organisation' },
        ],
      },
      { name: 'name', label: 'Name', kind: 'text', isRequired: true },
      ...asked.map((path) => ({
        name: path.split('.')[1] ?? path,
        label: fieldWords(path),
        kind: path.endsWith('dateOfBirth') ? ('date' as const) : ('text' as const),
      })),
    ],
    onConflict: again,
    run: async ({ type, name = '', ...rest }) => {
      const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value.trim() !== ''));
      const originator = {
        type: type === 'LEGAL' ? ('LEGAL' as const) : ('NATURAL' as const),
        name: name.trim(),
        ...given,
      };
      await send('POST', '/claims/{id}/answer', { path: { id }, body: { originator } });
      again();
      return 'The answer is sent.';
    },
  };
}

function nameTransaction({ id }: TransferClaim, again: () => void): DialogAct {
  return {
    key: `answer-by-transaction/${id}`,
    title: 'Answer with a transaction of yours',
    label: 'Send the answer',
    explanation: 'Its message is what the VASP that asks gets.',
    fields: [{ name: 'transactionId', label: 'Id of the transaction', kind: 'text', isRequired: true }],
    onConflict: again,
    run: async ({ transactionId = '' }) => {
      await send('POST', '/claims/{id}/answer', {
        path: { id },
        body: { transactionId: transactionId.trim() },
      });
      again();
      return 'The answer is sent.';
    },
  };
}

function end({ id }: TransferClaim, status: 'DECLINED' | 'CANCELLED', again: () => void): DialogAct {
  const isDecline = status === 'DECLINED';
  return {
    key: `claim/${status}/${id}`,
    title: isDecline ? 'Decline to answer' : 'Take the claim back',
    label: isDecline ? 'Decline' : 'Take back',
    isDanger: true,
    fields: [
      {
        name: 'reason',
        label: 'Reason',
        kind: 'long',
        isRequired: isDecline,
        hint: 'The other VASP sees it.',
      },
    ],
    onConflict: again,
    run: async ({ reason = '' }) => {
      const why = reason.trim() === '' ? {} : { statusReasoning: reason.trim() };
      await send('PATCH', '/claims/{id}', { path: { id }, body: { status, ...why } });
      again();
      return isDecline ? 'The claim is declined.' : 'The claim is taken back.';
    },
  };
}
