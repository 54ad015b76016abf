import { html, nothing } from 'lit';
import { openAct, type DialogAct } from '../act-dialog.ts';
import { get, send } from '../exchange.ts';
import { session } from '../session.ts';
import { facts, section, text } from '../values.ts';
import { words } from '../words.ts';

/** The signed-in person's own account. */
export function accountSection(again: () => void): unknown {
  const { user } = session;
  if (!user) return nothing;
  return section(
    'Your account',
    html`${facts([
        ['E-mail', user.email],
        ['Name', text(user.name)],
        ['Role', words(user.role)],
        ['Second factor', user.hasSecondFactor ? 'On' : 'Off'],
      ])}
      <p class="acts">
        <button type="button" @click=${() => openAct(changePassword())}>Change the password</button>
        ${
          user.hasSecondFactor
            ? html`<button type="button" @click=${() => openAct(removeFactor(again))}>
                Remove the second factor
              </button>`
            : html`<button type="button" @click=${() => openAct(beginFactor(again))}>
                Set up a second factor
              </button>`
        }
      </p>`,
  );
}

function changePassword(): DialogAct {
  return {
    key: 'password',
    title: 'Change your password',
    label: 'Change',
    fields: [
      { name: 'currentPassword', label: 'Password now', kind: 'password', isRequired: true },
      {
        name: 'password',
        label: 'New password',
        kind: 'password',
        isRequired: true,
        hint: 'Several words are easy to keep and hard to guess.',
      },
    ],
    run: async ({ currentPassword = '', password = '' }) => {
      await send('POST', '/users/me/password', { body: { currentPassword, password } });
      return 'The password is changed. Your other sessions have ended.';
    },
  };
}

function beginFactor(again: () => void): DialogAct {
  return {
    key: 'second-factor',
    title: 'Set up a second factor',
    explanation: 'An authenticator app on your phone makes a code for each sign-in.',
    label: 'Go on',
    fields: [{ name: 'currentPassword', label: 'Your password', kind: 'password', isRequired: true }],
    run: async ({ currentPassword = '' }) => {
      const { secret, uri } = await send('POST', '/users/me/second-factor', { body: { currentPassword } });
      // After this dialog has closed.
      openAct(confirmFactor({ secret, uri, again }));
      return 'Now confirm with a code.';
    },
  };
}

function confirmFactor({
  secret,
  uri,
  again,
}: {
  secret: string;
  uri: string;
  again: () => void;
}): DialogAct {
  return {
    key: 'second-factor-code',
    title: 'Add it to your app and give a code',
    explanation: html`<p>Type this key into the app, or <a href=${uri}>open it on this device</a>:</p>
      <pre>${secret}</pre>`,
    label: 'Confirm',
    fields: [{ name: 'code', label: 'Code of the app', kind: 'text', isRequired: true }],
    run: async ({ code = '' }) => {
      const { recoveryCodes } = await send('POST', '/users/me/second-factor/confirm', {
        body: { code: code.trim() },
      });
      await readMe();
      again();
      openAct(showCodes(recoveryCodes));
      return 'The second factor is on.';
    },
  };
}

function showCodes(codes: readonly string[]): DialogAct {
  return {
    key: 'recovery-codes',
    title: 'Keep your recovery codes',
    explanation: html`<p>Each lets you in once without the app. They are shown only now.</p>
      <pre>${codes.join('\n')}</pre>`,
    label: 'I have kept them',
    fields: [],
    run: async () => await Promise.resolve('Done.'),
  };
}

function removeFactor(again: () => void): DialogAct {
  return {
    key: 'second-factor-off',
    title: 'Remove your second factor',
    label: 'Remove',
    isDanger: true,
    fields: [{ name: 'currentPassword', label: 'Your password', kind: 'password', isRequired: true }],
    run: async ({ currentPassword = '' }) => {
      await send('POST', '/users/me/second-factor/remove', { body: { currentPassword } });
      await readMe();
      again();
      return 'The second factor is off.';
    },
  };
}

async function readMe(): Promise<void> {
  session.user = await get('/users/me');
}
