import { html, nothing } from 'lit';
import { openAct, type DialogAct } from '../act-dialog.ts';
import type { Schemas } from '../api-types.ts';
import { send } from '../exchange.ts';
import { pathTo } from '../place.ts';
import { session } from '../session.ts';
import { badge, facts, section, text } from '../values.ts';
import { toneOf } from '../words.ts';

type Tenant = Schemas['Tenant'];

export function webhookSection(tenant: Tenant, again: () => void): unknown {
  const { webhookUrl, webhookStatus } = tenant;
  return section(
    'Webhooks',
    html`${facts([
        ['Address', text(webhookUrl)],
        ['State', webhookStatus === null ? text(null) : badge(webhookStatus, toneOf(webhookStatus))],
      ])}
      <p class="acts">
        ${
          session.may('ADMINISTER')
            ? html`<button type="button" @click=${() => openAct(setUrl(tenant, again))}>
                  Set the address
                </button>
                ${
                  webhookUrl === null
                    ? nothing
                    : html`<button type="button" @click=${() => openAct(test())}>Send a test</button>
                        <button type="button" @click=${() => openAct(rotate(again))}>New secret</button>`
                }`
            : nothing
        }
        <a class="button" href=${pathTo('deliveries')}>Deliveries</a>
      </p>`,
  );
}

function setUrl({ webhookUrl }: Tenant, again: () => void): DialogAct {
  return {
    key: 'webhook-url',
    title: 'Address of your webhooks',
    explanation:
      'Setting it again switches an endpoint on that was disabled. Another address gets a new secret.',
    label: 'Save',
    fields: [{ name: 'url', label: 'Address', kind: 'text', value: webhookUrl ?? '', isRequired: true }],
    run: async ({ url = '' }) => {
      const { proposal } = await send('PATCH', '/tenant/me', { body: { webhookUrl: url.trim() } });
      again();
      return proposal ? 'Proposed. A second person has to agree.' : 'The address is set.';
    },
  };
}

function test(): DialogAct {
  return {
    key: 'webhook-test',
    title: 'Send a test webhook',
    label: 'Send',
    fields: [],
    run: async () => {
      await send('POST', '/tenant/me/webhook/test');
      return 'It is on its way. Deliveries shows how it was answered.';
    },
  };
}

function rotate(again: () => void): DialogAct {
  return {
    key: 'webhook-secret',
    title: 'Make a new webhook secret',
    explanation: 'Webhooks are signed with both for a day, so that your systems can change over.',
    label: 'Make it',
    fields: [],
    run: async () => {
      const { webhookSecret } = await send('POST', '/tenant/me/webhook/rotate-secret');
      again();
      openAct(show(webhookSecret ?? ''));
      return 'There is a new secret.';
    },
  };
}

function show(secret: string): DialogAct {
  return {
    key: 'webhook-secret-shown',
    title: 'Your new webhook secret',
    explanation: html`<pre>${secret}</pre>`,
    label: 'I have it',
    fields: [],
    run: async () => await Promise.resolve('Done.'),
  };
}
