/**
 * What the hosted page does: plain script without a build step. Texts reach the page as text only. The token leaves the
 * address bar at once and goes to the service in a header.
 */
export const PAGE_SCRIPT = `'use strict';
const STATES = {
  PENDING: 'Please prove that this wallet is yours.',
  VERIFIED: 'Done: this wallet is confirmed.',
  ACTION_REQUIRED: 'Received. A person looks at it now.',
  DECLINED: 'The proof was not accepted.',
  FAILED: 'This verification has ended. Please ask for a new one.',
};
const NAMES = { EXPIRED: 'The time for this verification is over.', TOO_MANY_ATTEMPTS: 'Too many wrong proofs were given.' };
const POLL_MS = 5000;

const place = new URL(location.href);
const token = place.searchParams.get('token') ?? sessionStorage.getItem('token') ?? '';
sessionStorage.setItem('token', token);
history.replaceState(null, '', place.pathname);

const byId = (id) => document.getElementById(id);
const wallets = [];
let shown = '';

function make(tag, text, fields = {}) {
  const element = document.createElement(tag);
  if (text) element.textContent = text;
  return Object.assign(element, fields);
}

function button(text, action) {
  const made = make('button', text, { type: 'button' });
  made.addEventListener('click', async () => {
    made.disabled = true;
    tell('');
    try {
      await action();
    } catch (error) {
      tell(error.message || 'That did not work.');
    }
    made.disabled = false;
  });
  return made;
}

function tell(text) {
  byId('trouble').textContent = text;
  byId('trouble').hidden = text === '';
}

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
  const content = await answer.json();
  if (answer.ok) return content;
  if (answer.status === 404) throw new Error('This link is not valid any more.');
  throw new Error(content.errors?.[0]?.message ?? content.detail);
}

async function prove(body) {
  show(await call('POST', 'verification/proof', body));
}

function section(title, ...parts) {
  const made = make('section');
  made.append(make('h2', title), ...parts);
  return made;
}

function signing(verification) {
  const text = make('textarea', '', { id: 'message', rows: 14, readOnly: true });
  const pasted = make('textarea', '', { id: 'signature', rows: 3, spellcheck: false });
  const submit = async () => {
    await prove({ verificationFlow: 'SIGNATURE_PROOF', message: text.value, signature: pasted.value.trim() });
  };
  const signers = make('div', '', { id: 'signers' });
  const load = async () => {
    text.value = (await call('POST', 'verification/message', {})).message;
    if (verification.addressFormat !== 'EVM') return;
    signers.replaceChildren(...wallets.map(({ name, provider }) => button('Sign with ' + name, async () => {
      pasted.value = await signWith(provider, text.value, verification.address);
      await submit();
    })));
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

async function signWith(provider, message, wanted) {
  const accounts = await provider.request({ method: 'eth_requestAccounts' });
  const account = accounts.find((one) => one.toLowerCase() === wanted.toLowerCase());
  if (!account) throw new Error('Please choose the account ' + wanted + ' in your wallet.');
  const bytes = new TextEncoder().encode(message);
  const hex = '0x' + Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return provider.request({ method: 'personal_sign', params: [hex, account] });
}

function declaring() {
  const box = make('input', '', { type: 'checkbox', id: 'declared' });
  const label = make('label', '');
  label.append(box, ' I declare that this wallet is mine and that I alone control it.');
  return section('Declare it: free, at once', label, button('Declare', async () => {
    if (!box.checked) throw new Error('Please tick the box first.');
    await prove({ verificationFlow: 'SELF_DECLARED' });
  }));
}

function transferring({ satoshiFlow, asset, flow }) {
  const facts = make('p', 'Send exactly ' + satoshiFlow.amount + ' ' + asset + ' from this wallet to ' + satoshiFlow.depositAddress + '. The network fee comes on top.');
  const started = make('p', 'We are looking for the transfer.');
  const start = button('I send it now', () => prove({ verificationFlow: 'SATOSHI_TEST' }));
  return section('Send a small amount: network fee, up to 48 hours', facts, flow === 'SATOSHI_TEST' ? started : start);
}

function uploading() {
  const files = make('input', '', { type: 'file', id: 'files', multiple: true, accept: 'image/jpeg,image/png,application/pdf,video/*' });
  return section(
    'Show it: reviewed by a person',
    make('label', 'One to three pictures, PDF files or videos of your wallet', { htmlFor: 'files' }),
    files,
    button('Send the files', async () => {
      const form = new FormData();
      form.append('verificationFlow', 'VISUAL_PROOF');
      for (const file of files.files) form.append('files', file);
      await prove(form);
    }),
  );
}

const FLOWS = {
  SIGNATURE_PROOF: signing,
  SATOSHI_TEST: transferring,
  VISUAL_PROOF: uploading,
  SELF_DECLARED: declaring,
};

function show(verification) {
  const key = JSON.stringify(verification);
  if (key === shown) return;
  shown = key;
  const { status, failureCode, tenantName, redirectUrl } = verification;
  byId('state').textContent = NAMES[failureCode] ?? STATES[status] ?? status;
  const facts = { 'Asked by': tenantName, Wallet: verification.address, Blockchain: verification.blockchain, Until: new Date(verification.expiresAt).toLocaleString() };
  const list = make('dl');
  for (const [name, value] of Object.entries(facts)) list.append(make('dt', name), make('dd', value));
  byId('facts').replaceChildren(list);
  byId('facts').hidden = false;
  const open = status === 'PENDING' && new Date(verification.expiresAt) > new Date();
  const offered = Object.keys(FLOWS).filter((flow) => verification.allowedFlows.includes(flow));
  byId('flows').replaceChildren(...(open ? offered.map((flow) => FLOWS[flow](verification)) : []));
  if (redirectUrl && !open) {
    byId('back').replaceChildren(make('a', 'Back to ' + tenantName, { href: redirectUrl, rel: 'noreferrer' }));
    byId('back').hidden = false;
  }
}

async function poll() {
  try {
    const verification = await call('GET', 'verification');
    show(verification);
    if (verification.status !== 'PENDING' && verification.status !== 'ACTION_REQUIRED') return;
    setTimeout(poll, POLL_MS);
  } catch (error) {
    byId('state').textContent = error.message;
    if (shown) setTimeout(poll, 4 * POLL_MS);
  }
}

addEventListener('eip6963:announceProvider', ({ detail }) => {
  wallets.push({ name: detail.info.name, provider: detail.provider });
});
dispatchEvent(new Event('eip6963:requestProvider'));
if (wallets.length === 0 && window.ethereum) wallets.push({ name: 'the wallet of this browser', provider: window.ethereum });
poll();
`;
