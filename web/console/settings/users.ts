import { html, nothing } from 'lit';
import { openAct, type DialogAct } from '../act-dialog.ts';
import { send } from '../exchange.ts';
import { session, type User } from '../session.ts';
import { badge, section, text, timeCell } from '../values.ts';
import { options, words } from '../words.ts';

const ROLES = ['ADMIN', 'COMPLIANCE', 'AUDITOR', 'OBSERVER'] as const;

export function userSection(users: readonly User[], again: () => void): unknown {
  return section(
    'Users',
    html`<table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Role</th>
          <th scope="col">Second factor</th>
          <th scope="col">Last here</th>
          <th scope="col"><span class="unseen">Change</span></th>
        </tr>
      </thead>
      <tbody>
        ${users.map((user) => userRow(user, again))}
      </tbody>
    </table>`,
    html`<button type="button" @click=${() => openAct(invite(again))}>Invite somebody</button>`,
  );
}

function userRow(user: User, again: () => void): unknown {
  const { name, email, role, hasSecondFactor, lastSignInAt, disabledAt, expiresAt } = user;
  return html`<tr>
    <td>
      ${name ?? email} ${name === null ? nothing : html`<span class="dim">${email}</span>`}
      ${disabledAt === null ? nothing : badge('DISABLED', 'bad')}
      ${expiresAt === null ? nothing : html`<span class="dim">until ${timeCell(expiresAt)}</span>`}
    </td>
    <td>${words(role)}</td>
    <td>${hasSecondFactor ? 'On' : 'Off'}</td>
    <td>${lastSignInAt === null ? text(null) : timeCell(lastSignInAt)}</td>
    <td>
      ${
        user.id === session.user?.id
          ? html`<span class="dim">you</span>`
          : html`<button
              type="button"
              class="small"
              aria-label=${`Change ${email}`}
              @click=${() => openAct(change(user, again))}
            >
              Change
            </button>`
      }
    </td>
  </tr>`;
}

/** Auditors come for a while only; the service takes at most 90 days. */
const AUDITOR_DAYS = 30;

function endOf(role: string): { expiresAt?: string } {
  if (role !== 'AUDITOR') return {};
  return { expiresAt: new Date(Date.now() + AUDITOR_DAYS * 86_400_000).toISOString() };
}

function invite(again: () => void): DialogAct {
  return {
    key: 'invite',
    title: 'Invite somebody',
    label: 'Invite',
    fields: [
      { name: 'email', label: 'E-mail', kind: 'email', isRequired: true },
      { name: 'name', label: 'Name', kind: 'text' },
      {
        name: 'role',
        label: 'Role',
        kind: 'choice',
        isRequired: true,
        value: 'COMPLIANCE',
        options: options(ROLES),
        hint: `An auditor sees everything and changes nothing, for ${AUDITOR_DAYS} days.`,
      },
    ],
    run: async ({ email = '', name = '', role = '' }) => {
      const chosen = ROLES.find((known) => known === role) ?? 'OBSERVER';
      const named = name.trim() === '' ? {} : { name: name.trim() };
      await send('POST', '/users/invitations', {
        body: { email: email.trim(), role: chosen, ...named, ...endOf(chosen) },
      });
      again();
      return 'The invitation is sent.';
    },
  };
}

function change(user: User, again: () => void): DialogAct {
  const isDisabled = user.disabledAt !== null;
  return {
    key: `user/${user.id}`,
    title: `Change ${user.name ?? user.email}`,
    label: 'Save',
    fields: [
      {
        name: 'role',
        label: 'Role',
        kind: 'choice',
        isRequired: true,
        value: user.role,
        options: options(ROLES),
      },
      { name: 'disabled', label: 'Disabled: cannot sign in', kind: 'check', value: String(isDisabled) },
      ...(user.hasSecondFactor
        ? [{ name: 'lost', label: 'Has lost the second factor: remove it', kind: 'check' as const }]
        : []),
    ],
    run: async ({ role, disabled, lost }) => {
      const chosen = ROLES.find((known) => known === role) ?? user.role;
      const body = {
        ...(chosen !== user.role && { role: chosen, ...endOf(chosen) }),
        ...((disabled === 'true') !== isDisabled && { disabled: !isDisabled }),
        ...(lost === 'true' && { hasSecondFactor: false as const }),
      };
      if (Object.keys(body).length > 0) await send('PATCH', '/users/{id}', { path: { id: user.id }, body });
      again();
      return 'It is saved.';
    },
  };
}
