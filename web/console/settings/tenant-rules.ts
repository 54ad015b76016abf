import { html, nothing } from 'lit';
import { openAct, type DialogAct } from '../act-dialog.ts';
import type { Schemas } from '../api-types.ts';
import { send } from '../exchange.ts';
import { session } from '../session.ts';
import { facts, section, text } from '../values.ts';
import { words } from '../words.ts';

type Settings = Schemas['Settings'];

const FOUR_EYES = {
  review: 'Letting a held transaction proceed',
  rules: 'Publishing rules',
  suppressions: 'Suppressing a match',
  webhookUrl: 'Changing the webhook address',
} as const;
type FourEyes = keyof typeof FOUR_EYES;
const ACTS = Object.keys(FOUR_EYES) as FourEyes[];

const yesNo = (value: boolean) => (value ? 'Yes' : 'No');

export function ruleSection(settings: Settings, again: () => void): unknown {
  const { selfHosted, screening, fourEyes } = settings;
  const isAdministrator = session.may('ADMINISTER');
  return html`${section(
    'Four eyes',
    facts(ACTS.map((name) => [FOUR_EYES[name], fourEyes[name] ? 'Takes two people' : 'One person'] as const)),
    isAdministrator
      ? html`<button type="button" @click=${() => openAct(setFourEyes(settings, again))}>Change</button>`
      : nothing,
  )}
  ${section(
    'Transfers',
    facts([
      [
        'Self-hosted wallets need a proof above',
        selfHosted.thresholdEur === null ? 'No limit' : `${selfHosted.thresholdEur} EUR`,
      ],
      ['Proofs that count above it', selfHosted.flowsAbove.map(words).join(', ')],
      ['Confirm self-hosted transfers below it by itself', yesNo(settings.autoConfirmSelfHosted)],
      ['Hold incomplete messages', yesNo(settings.holdIncomplete)],
      ['Deliver by e-mail where no network leads to a VASP', yesNo(settings.deliveryEmailEnabled)],
      ['Days to answer claims', settings.claimDeadlineDays],
      [
        'Names match from',
        `${Math.round(screening.matchThreshold * 100)} %, for review from ${Math.round(screening.reviewThreshold * 100)} %`,
      ],
      ['Lists required', text(screening.requiredLists.join(', '))],
      ['Kept for', `${settings.retentionDays} days`],
      ['Time zone', settings.timeZone],
    ]),
    isAdministrator
      ? html`<button type="button" @click=${() => openAct(changeTransfers(settings, again))}>Change</button>`
      : nothing,
  )}`;
}

function setFourEyes({ fourEyes }: Settings, again: () => void): DialogAct {
  return {
    key: 'four-eyes',
    title: 'What takes two people',
    explanation:
      'Switching on needs two people who have set their password by a link; switching off needs both.',
    label: 'Save',
    fields: ACTS.map((name) => ({
      name,
      label: FOUR_EYES[name],
      kind: 'check',
      value: String(fourEyes[name]),
    })),
    onConflict: again,
    run: async (values) => {
      const changed = ACTS.filter((name) => (values[name] === 'true') !== fourEyes[name]);
      const body = { fourEyes: Object.fromEntries(changed.map((name) => [name, values[name] === 'true'])) };
      const { proposal } = await send('PATCH', '/tenant/me/settings', { body });
      again();
      return proposal ? 'Proposed. A second person has to agree.' : 'It is saved.';
    },
  };
}

function changeTransfers(settings: Settings, again: () => void): DialogAct {
  const { selfHosted, autoConfirmSelfHosted, holdIncomplete, deliveryEmailEnabled, claimDeadlineDays } =
    settings;
  return {
    key: 'transfers',
    title: 'Transfers',
    label: 'Save',
    fields: [
      {
        name: 'threshold',
        label: 'Self-hosted wallets need a proof above, in EUR',
        kind: 'number',
        value: selfHosted.thresholdEur ?? '',
        hint: 'Empty: no limit.',
      },
      {
        name: 'autoConfirm',
        label: 'Confirm self-hosted transfers below it by itself',
        kind: 'check',
        value: String(autoConfirmSelfHosted),
      },
      {
        name: 'holdIncomplete',
        label: 'Hold incomplete messages',
        kind: 'check',
        value: String(holdIncomplete),
      },
      {
        name: 'email',
        label: 'Deliver by e-mail where no network leads to a VASP',
        kind: 'check',
        value: String(deliveryEmailEnabled),
      },
      {
        name: 'days',
        label: 'Days to answer claims',
        kind: 'number',
        isRequired: true,
        value: String(claimDeadlineDays),
      },
    ],
    run: async ({ threshold = '', autoConfirm, holdIncomplete: holds, email, days }) => {
      const body = {
        selfHosted: { thresholdEur: threshold.trim() === '' ? null : threshold.trim() },
        autoConfirmSelfHosted: autoConfirm === 'true',
        holdIncomplete: holds === 'true',
        deliveryEmailEnabled: email === 'true',
        claimDeadlineDays: Number(days),
      };
      await send('PATCH', '/tenant/me/settings', { body });
      again();
      return 'It is saved.';
    },
  };
}
