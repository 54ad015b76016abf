// The script of the e-mail portal, served without a build step: from the link to the code to the message.

import {
  askForCode,
  askForLink,
  giveCode,
  hasSession,
  hasToken,
  readClaim,
  readLink,
  readMessage,
  Refusal,
} from './portal-calls.js';
import { showClaim } from './portal-claim.js';
import { showMessage } from './portal-message.js';
import {
  byId,
  button,
  form,
  labelled,
  list,
  make,
  messageOf,
  onSessionOver,
  section,
  show,
  showState,
} from './portal-parts.js';

/** @import { PortalLinkView } from '../../../domain/portal/schema.ts' */

const STATES = {
  EXPIRED: 'This link has expired.',
  LOCKED: 'This link is locked after too many wrong codes.',
  REPLACED: 'A newer link was sent to your mailbox.',
  ELSEWHERE: 'This message goes to its receiver in another way now. If you expected it here, ask its sender.',
};

/** What differs between links to messages and to claims. */
const WORDS = {
  TRANSACTION: {
    title: 'Travel Rule message',
    OPEN: 'A message waits for you.',
    ENDED: 'The sender has withdrawn this message before it was opened.',
    open: 'Open the message',
    show: async () => showMessage(await readMessage()),
  },
  CLAIM: {
    title: 'Travel Rule question',
    OPEN: 'A question about a transfer waits for you.',
    ENDED: 'This question is over. Nothing is left to do.',
    open: 'Open the question',
    show: async () => showClaim(await readClaim()),
  },
};

/** @param {PortalLinkView} link */
function showTitle({ kind }) {
  byId('title').textContent = WORDS[kind].title;
  document.title = WORDS[kind].title;
}

/** @param {PortalLinkView} link */
function stateOf({ state, kind, isNewLinkRefused }) {
  if (isNewLinkRefused)
    return 'Your mail server has refused the mail with the newer link. Ask for another one, or ask the sender.';
  return state === 'OPEN' || state === 'ENDED' ? WORDS[kind][state] : STATES[state];
}

/** @param {PortalLinkView} link */
function showLink(link) {
  showState(stateOf(link));
  const facts = list({
    From: link.tenantName,
    'E-mail of the sender': link.senderEmail,
    Mailbox: link.mailbox,
    'The link counts until': new Date(link.expiresAt).toLocaleString(),
  });
  if (link.state === 'ENDED' || link.state === 'ELSEWHERE') show(section('The link', facts));
  else if (link.state === 'OPEN') show(section('The link', facts), gate(link));
  else show(section('The link', facts), renewal(link));
}

/**
 * @param {PortalLinkView} link
 * @param {(entry: HTMLElement) => void} [place] shows the field for the code
 * @param {() => Promise<void>} [enter] goes on after the right code
 * @param {(ended: PortalLinkView) => void} [tellEnd] shows a link that counts no more
 */
function gate(link, place = show, enter = WORDS[link.kind].show, tellEnd = showLink) {
  return section(
    WORDS[link.kind].open,
    make('p', `A code goes to ${link.mailbox}. It counts for ten minutes.`),
    button(
      'Send me a code',
      async () => {
        await askForCode();
        showState('A mail with the code is on its way.');
        place(codeEntry(link, enter, tellEnd));
      },
      'main',
    ),
  );
}

/**
 * @param {PortalLinkView} link
 * @param {() => Promise<void>} enter
 * @param {(ended: PortalLinkView) => void} tellEnd
 */
function codeEntry(link, enter, tellEnd) {
  const code = make('input', '', {
    id: 'code',
    autocomplete: 'one-time-code',
    inputMode: 'numeric',
    pattern: '[0-9]{6}',
    maxLength: 6,
    required: true,
  });
  const open = async () => {
    try {
      await giveCode(code.value.trim());
    } catch (error) {
      if (error instanceof Refusal && error.status === 409) tellEnd(await readLink());
      throw error;
    }
    await enter();
  };
  return section(
    'Give the code',
    form(
      { text: WORDS[link.kind].open, className: 'main' },
      open,
      ...labelled(`The code that was sent to ${link.mailbox}`, code),
    ),
    button('Send another code', async () => {
      await askForCode();
      showState('A mail with another code is on its way; it ends the one before.');
    }),
  );
}

/**
 * Asks for a code above what is shown, for a session that is over in the middle of something: what was typed stays.
 * @param {PortalLinkView} link
 */
function gateAbove(link) {
  const place = make('div', '', { id: 'gate' });
  const goOn = async () => {
    place.remove();
    showState('You are in again. What you have typed is still here.');
  };
  /** @param {PortalLinkView} ended */
  const tellEnd = (ended) => {
    showState(stateOf(ended));
    const isOver = ended.state === 'ENDED' || ended.state === 'ELSEWHERE';
    place.replaceChildren(...(isOver ? [] : [renewal(ended, () => place.remove())]));
  };
  place.append(gate(link, (entry) => place.replaceChildren(entry), goOn, tellEnd));
  document.getElementById('gate')?.remove();
  byId('page').prepend(place);
  place.querySelector('h2')?.focus();
}

/**
 * @param {PortalLinkView} link
 * @param {() => void} [clear] takes away what the new link replaces
 */
function renewal(link, clear = () => byId('page').replaceChildren()) {
  return section(
    'Get a new link',
    make('p', `A new link goes to ${link.mailbox}, and nowhere else.`),
    button(
      'Send me a new link',
      async () => {
        await askForLink();
        showState('A mail with a new link is on its way.');
        clear();
      },
      'main',
    ),
  );
}

async function start() {
  if (!hasToken()) return showState('Open this page by the link in your mail.');
  const link = await readLink();
  showTitle(link);
  onSessionOver(() => gateAbove(link));
  if (hasSession()) {
    try {
      return await WORDS[link.kind].show();
    } catch (error) {
      // The session is over: the code is asked for again.
      if (!(error instanceof Refusal) || error.status !== 401) throw error;
    }
  }
  showLink(link);
}

start().catch((/** @type {unknown} */ error) => {
  showState(
    error instanceof TypeError ? 'The service cannot be reached. Load the page again.' : messageOf(error),
  );
});
