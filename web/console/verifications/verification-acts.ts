import type { OfferedAct } from '../act-bar.ts';
import { openAct, type DialogAct, type ActField } from '../act-dialog.ts';
import { send } from '../exchange.ts';
import { session } from '../session.ts';
import { words } from '../words.ts';
import type { Verification } from './verification-list.ts';

type Step = Verification['additionalSteps'][number];

const REASON: ActField = { name: 'reason', label: 'Reason', kind: 'long', isRequired: true };

/** What the person can do with a verification now. */
export function verificationActs(verification: Verification, again: () => void): OfferedAct[] {
  if (!session.may('DECIDE')) return [];
  const { status, additionalSteps } = verification;
  const step = additionalSteps.find((one) => one.status === 'ACTION_REQUIRED');
  if (status === 'ACTION_REQUIRED') {
    return [
      {
        label: 'Accept the proof',
        key: 'a',
        tone: 'primary',
        start: () => openAct(decide(verification, 'VERIFIED', again)),
      },
      {
        label: 'Decline',
        key: 'd',
        tone: 'danger',
        start: () => openAct(decide(verification, 'DECLINED', again)),
      },
    ];
  }
  return [
    ...(step ? stepActs(verification, step, again) : []),
    ...(status === 'VERIFIED'
      ? [
          {
            label: 'Withdraw the proof',
            key: 'w',
            tone: 'danger' as const,
            start: () => openAct(revoke(verification, again)),
          },
        ]
      : []),
  ];
}

function stepActs(verification: Verification, step: Step, again: () => void): OfferedAct[] {
  const name = words(step.kind).toLowerCase();
  const start = (status: 'VERIFIED' | 'DECLINED') => () =>
    openAct(decideStep(verification, step, { status, again }));
  return [
    { label: `Accept: ${name}`, key: 'a', tone: 'primary', start: start('VERIFIED') },
    { label: `Decline: ${name}`, key: 'd', tone: 'danger', start: start('DECLINED') },
  ];
}

function decide(
  { id, address }: Verification,
  status: 'VERIFIED' | 'DECLINED',
  again: () => void,
): DialogAct {
  const isAccepted = status === 'VERIFIED';
  return {
    key: `verification/${status}/${id}`,
    title: isAccepted ? 'Accept this proof' : 'Decline this proof',
    explanation: address,
    label: isAccepted ? 'Accept' : 'Decline',
    isDanger: !isAccepted,
    fields: [REASON],
    onConflict: again,
    run: async ({ reason = '' }) => {
      await send('PATCH', '/wallet-verification/{id}', {
        path: { id },
        body: { status, statusReasoning: reason },
      });
      again();
      return isAccepted ? 'The wallet is verified.' : 'The proof is declined.';
    },
  };
}

function decideStep(
  { id, address }: Verification,
  { kind, submittedAt }: Step,
  { status, again }: { status: 'VERIFIED' | 'DECLINED'; again: () => void },
): DialogAct {
  const isAccepted = status === 'VERIFIED';
  return {
    key: `step/${status}/${kind}/${id}`,
    title: `${isAccepted ? 'Accept' : 'Decline'}: ${words(kind).toLowerCase()}`,
    explanation: address,
    label: isAccepted ? 'Accept' : 'Decline',
    isDanger: !isAccepted,
    fields: [REASON],
    onConflict: again,
    run: async ({ reason = '' }) => {
      const seen = submittedAt === null ? {} : { submittedAt };
      const body = { status, statusReasoning: reason, ...seen };
      await send('PATCH', '/wallet-verification/{id}/additional-steps/{kind}', { path: { id, kind }, body });
      again();
      return isAccepted ? 'The step is accepted.' : 'The step is declined.';
    },
  };
}

function revoke({ id, address }: Verification, again: () => void): DialogAct {
  return {
    key: `revoke/${id}`,
    title: 'Withdraw this proof',
    explanation: `${address} counts as unproven from then on, for transfers to come, too.`,
    label: 'Withdraw',
    isDanger: true,
    fields: [REASON],
    onConflict: again,
    run: async ({ reason = '' }) => {
      await send('POST', '/wallet-verification/{id}/revoke', { path: { id }, body: { reason } });
      again();
      return 'The proof is withdrawn.';
    },
  };
}
