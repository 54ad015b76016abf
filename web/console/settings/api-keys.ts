import { html } from 'lit';
import { openAct, type DialogAct } from '../act-dialog.ts';
import type { Schemas } from '../api-types.ts';
import { send } from '../exchange.ts';
import { badge, copied, deadline, section, text, timeCell } from '../values.ts';
import { options, words } from '../words.ts';

type ApiKey = Schemas['ApiKey'];

const ROLES = ['ADMIN', 'COMPLIANCE', 'OBSERVER'] as const;

export function keySection(keys: readonly ApiKey[], again: () => void): unknown {
  return section(
    'API keys',
    html`<table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Role</th>
          <th scope="col">Made</th>
          <th scope="col">Last used</th>
          <th scope="col">Ends</th>
          <th scope="col"><span class="unseen">Revoke</span></th>
        </tr>
      </thead>
      <tbody>
        ${keys.map((key) => keyRow(key, again))}
      </tbody>
    </table>`,
    html`<button type="button" @click=${() => openAct(create(again))}>New key</button>`,
  );
}

function keyRow(key: ApiKey, again: () => void): unknown {
  const { name, id, role, createdAt, lastUsedAt, expiresAt, revokedAt } = key;
  const shown = name ?? `Key ${id.slice(0, 8)}`;
  return html`<tr>
    <td>${shown}</td>
    <td>${words(role)}</td>
    <td>${timeCell(createdAt)}</td>
    <td>${timeCell(lastUsedAt)}</td>
    <td>${revokedAt === null ? deadline(expiresAt) : badge('REVOKED', 'bad')}</td>
    <td>
      ${
        revokedAt === null
          ? html`<button
              type="button"
              class="small danger"
              aria-label=${`Revoke ${shown}`}
              @click=${() => openAct(revoke(key, again))}
            >
              Revoke
            </button>`
          : text('')
      }
    </td>
  </tr>`;
}

function create(again: () => void): DialogAct {
  return {
    key: 'api-key',
    title: 'New API key',
    label: 'Make it',
    fields: [
      {
        name: 'name',
        label: 'Name',
        kind: 'text',
        isRequired: true,
        hint: 'What uses it, such as: withdrawal service.',
      },
      {
        name: 'role',
        label: 'Role',
        kind: 'choice',
        isRequired: true,
        value: 'COMPLIANCE',
        options: options(ROLES),
      },
      { name: 'end', label: 'Ends on', kind: 'date' },
    ],
    run: async ({ name = '', role, end = '' }) => {
      const ends = end === '' ? {} : { expiresAt: `${end}T00:00:00Z` };
      const body = {
        name: name.trim(),
        role: ROLES.find((known) => known === role) ?? ('OBSERVER' as const),
        ...ends,
      };
      const { apiKey } = await send('POST', '/tenant/me/api-keys', { body });
      again();
      openAct(show(apiKey));
      return 'The key is made.';
    },
  };
}

function show(apiKey: string): DialogAct {
  return {
    key: 'api-key-shown',
    title: 'Your new key',
    explanation: html`<p>Put it where your system keeps its secrets. It is sent as <code>X-Api-Key</code>.</p>
      <p>${copied(apiKey, 'key')}</p>`,
    label: 'I have it',
    fields: [],
    run: async () => await Promise.resolve('Done.'),
  };
}

function revoke({ id, name }: ApiKey, again: () => void): DialogAct {
  return {
    key: `revoke/${id}`,
    title: `Revoke ${name ?? 'this key'}`,
    explanation: 'What uses it gets 401 from then on. It cannot be undone.',
    label: 'Revoke',
    isDanger: true,
    fields: [],
    onConflict: again,
    run: async () => {
      await send('DELETE', '/tenant/me/api-keys/{id}', { path: { id } });
      again();
      return 'The key is revoked.';
    },
  };
}
