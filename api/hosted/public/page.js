// The script of the hosted page, served without a build step. It inserts texts as text nodes, never as HTML.

import { showBranding } from './branding.js';
import { token } from './token.js';

/** @import { HostedVerification } from '../../../domain/verifications/hosted.ts' */

/**
 * A browser wallet with the interface of EIP-1193.
 * @typedef {{ request: (call: { method: string, params?: readonly unknown[] }) => Promise<unknown> }} WalletProvider
 */

/** @type {Partial<Record<HostedVerification['status'], string>>} */
const STATES = {
  PENDING: 'Please prove that this wallet is yours.',
  VERIFIED: 'Done: this wallet is confirmed.',
  ACTION_REQUIRED: 'Received. A person looks at it now.',
  DECLINED: 'The proof was not accepted.',
  FAILED: 'This verification has ended. Please ask for a new one.',
};
/** @type {Partial<Record<NonNullable<HostedVerification['failureCode']>, string>>} */
const FAILURES = {
  EXPIRED: 'The time for this verification is over.',
  TOO_MANY_ATTEMPTS: 'Too many wrong proofs were given.',
};
const POLL_MS = 5000;

/** @type {{ name: string, provider: WalletProvider }[]} */
const wallets = [];
let shown = '';

/** @param {string} id */
function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} [text]
 * @param {Partial<HTMLElementTagNameMap[Tag]>} [fields]
 * @returns {HTMLElementTagNameMap[Tag]}
 */
function make(tag, text, fields = {}) {
  const element = document.createElement(tag);
  if (text) element.textContent = text;
  Object.assign(element, fields);
  return element;
}

/**
 * @param {string} text
 * @param {() => Promise<void>} action
 */
function button(text, action) {
  const made = make('button', text, { type: 'button' });
  const run = async () => {
    made.disabled = true;
    showTrouble('');
    try {
      await action();
    } catch (error) {
      showTrouble(messageOf(error) || 'That did not work.');
    }
    made.disabled = false;
  };
  made.addEventListener('click', () => void run());
  return made;
}

/**
 * The message of an error, or an empty text. Wallets also throw objects that are not an Error.
 * @param {unknown} error
 */
function messageOf(error) {
  return /** @type {{ message?: string }} */ (error).message ?? '';
}

/** @param {string} text */
function showTrouble(text) {
  byId('trouble').textContent = text;
  byId('trouble').hidden = text === '';
}

/**
 * @param {'GET' | 'POST'} method
 * @param {string} path
 * @param {object} [body] a form is sent as it is, anything else as JSON
 * @returns {Promise<unknown>}
 */
async function call(method, path, body) {
  const isForm = body instanceof FormData;
  const answer = await fetch(path, {
    method,
    headers: {
      'X-Verification-Token': token,
      ...(body && !isForm && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
    cache: 'no-store',
  });
  /** @type {unknown} */
  const content = await answer.json();
  if (answer.ok) return content;
  if (answer.status === 404) throw new Error('This link is not valid any more.');
  if (answer.status === 403) throw new Error('This page is closed at the moment. Please come back later.');
  const problem = /** @type {{ detail: string, errors?: { message: string }[] }} */ (content);
  throw new Error(problem.errors?.[0]?.message ?? problem.detail);
}

/** @param {object} proof */
async function prove(proof) {
  show(/** @type {HostedVerification} */ (await call('POST', 'verification/proof', proof)));
}

/**
 * @param {string} title
 * @param {Node[]} parts
 */
function section(title, ...parts) {
  const made = make('section');
  made.append(make('h2', title), ...parts);
  return made;
}

/** @param {HostedVerification} verification */
function signing(verification) {
  const text = make('textarea', '', { id: 'message', rows: 14, readOnly: true });
  const pasted = make('textarea', '', { id: 'signature', rows: 3, spellcheck: false });
  const submit = async () => {
    await prove({ verificationFlow: 'SIGNATURE_PROOF', message: text.value, signature: pasted.value.trim() });
  };
  const signers = make('div', '', { id: 'signers' });
  const load = async () => {
    const made = await call('POST', 'verification/message', {});
    text.value = /** @type {{ message: string }} */ (made).message;
    if (verification.addressFormat !== 'EVM') return;
    const buttons = wallets.map(({ name, provider }) =>
      button(`Sign with ${name}`, async () => {
        pasted.value = await signWith(provider, text.value, verification.address);
        await submit();
      }),
    );
    signers.replaceChildren(...buttons);
  };
  return section(
    'Sign a message: free, one minute',
    button('Show the message', load),
    make('label', 'The message, to be signed exactly as it is', { htmlFor: 'message' }),
    text,
    button('Copy', () => navigator.clipboard.writeText(text.value)),
    signers,
    make('label', 'The signature from your wallet', { htmlFor: 'signature' }),
    pasted,
    button('Send the signature', submit),
  );
}

/**
 * @param {WalletProvider} provider
 * @param {string} message
 * @param {string} owner the address that has to sign
 */
async function signWith(provider, message, owner) {
  const accounts = /** @type {string[]} */ (await provider.request({ method: 'eth_requestAccounts' }));
  const account = accounts.find((one) => one.toLowerCase() === owner.toLowerCase());
  if (!account) throw new Error(`Please choose the account ${owner} in your wallet.`);
  const bytes = new TextEncoder().encode(message);
  const hex = `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  const signature = await provider.request({ method: 'personal_sign', params: [hex, account] });
  return /** @type {string} */ (signature);
}

function declaring() {
  const box = make('input', '', { type: 'checkbox', id: 'declared' });
  const label = make('label', '');
  label.append(box, ' I declare that this wallet is mine and that I alone control it.');
  const declare = button('Declare', async () => {
    if (!box.checked) throw new Error('Please tick the box first.');
    await prove({ verificationFlow: 'SELF_DECLARED' });
  });
  return section('Declare it: free, at once', label, declare);
}

/** @param {HostedVerification} verification */
function transferring({ satoshiFlow: { amount, depositAddress }, asset, flow }) {
  const facts = make(
    'p',
    `Send exactly ${amount} ${asset} from this wallet to ${depositAddress}. The network fee comes on top.`,
  );
  const started = make('p', 'We are looking for the transfer.');
  const start = button('I send it now', () => prove({ verificationFlow: 'SATOSHI_TEST' }));
  return section(
    'Send a small amount: network fee, up to 48 hours',
    facts,
    flow === 'SATOSHI_TEST' ? started : start,
  );
}

function uploading() {
  const accept = 'image/jpeg,image/png,application/pdf,video/*';
  const chosen = make('input', '', { type: 'file', id: 'files', multiple: true, accept });
  const send = button('Send the files', async () => {
    const form = new FormData();
    form.append('verificationFlow', 'VISUAL_PROOF');
    for (const file of chosen.files ?? []) form.append('files', file);
    await prove(form);
  });
  return section(
    'Show it: reviewed by a person',
    make('label', 'One to three pictures, PDF files or videos of your wallet', { htmlFor: 'files' }),
    chosen,
    send,
  );
}

/** The flows, in the order in which the page offers them. */
const FLOWS = {
  SIGNATURE_PROOF: signing,
  SATOSHI_TEST: transferring,
  VISUAL_PROOF: uploading,
  SELF_DECLARED: declaring,
};

/** @param {HostedVerification} verification */
function show(verification) {
  const key = JSON.stringify(verification);
  if (key === shown) return;
  shown = key;
  const { status, failureCode, tenantName, redirectUrl } = verification;
  byId('state').textContent = (failureCode && FAILURES[failureCode]) ?? STATES[status] ?? status;
  showFacts(verification);
  showBranding(verification);
  const isOpen = status === 'PENDING' && new Date(verification.expiresAt) > new Date();
  const offered = /** @type {(keyof typeof FLOWS)[]} */ (Object.keys(FLOWS)).filter((flow) =>
    verification.allowedFlows.includes(flow),
  );
  byId('flows').replaceChildren(...(isOpen ? offered.map((flow) => FLOWS[flow](verification)) : []));
  if (redirectUrl && !isOpen) {
    const link = make('a', `Back to ${tenantName}`, { href: redirectUrl, rel: 'noreferrer' });
    byId('back').replaceChildren(link);
    byId('back').hidden = false;
  }
}

/** @param {HostedVerification} verification */
function showFacts({ tenantName, address: wallet, blockchain, expiresAt }) {
  const facts = {
    'Asked by': tenantName,
    Wallet: wallet,
    Blockchain: blockchain,
    Until: new Date(expiresAt).toLocaleString(),
  };
  const list = make('dl');
  for (const [name, value] of Object.entries(facts)) list.append(make('dt', name), make('dd', value));
  byId('facts').replaceChildren(list);
  byId('facts').hidden = false;
}

async function poll() {
  try {
    const verification = /** @type {HostedVerification} */ (await call('GET', 'verification'));
    show(verification);
    if (verification.status !== 'PENDING' && verification.status !== 'ACTION_REQUIRED') return;
    setTimeout(() => void poll(), POLL_MS);
  } catch (error) {
    byId('state').textContent = messageOf(error);
    if (shown) setTimeout(() => void poll(), 4 * POLL_MS);
  }
}

// Browser wallets announce themselves by EIP-6963.
addEventListener('eip6963:announceProvider', (event) => {
  const { detail } = /** @type {CustomEvent<{ info: { name: string }, provider: WalletProvider }>} */ (event);
  wallets.push({ name: detail.info.name, provider: detail.provider });
});
dispatchEvent(new Event('eip6963:requestProvider'));
// The constant is not named `ethereum`: if a wallet has defined that property as fixed, the script would not start.
const injected = /** @type {Window & { ethereum?: WalletProvider }} */ (window).ethereum;
if (wallets.length === 0 && injected) {
  wallets.push({ name: 'the wallet of this browser', provider: injected });
}
void poll();
