// The script of the page on which users set their password. The token of the link is a fragment, which no server gets; the
// page removes it from the address bar at once.
'use strict';

const token = location.hash.slice(1);
history.replaceState(null, '', location.pathname);
// Another link differs in its fragment alone, with which a browser loads nothing anew.
addEventListener('hashchange', () => location.reload());

/** @param {string} id */
function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/** @param {string} id */
function valueOf(id) {
  const element = byId(id);
  return element instanceof HTMLInputElement ? element.value : '';
}

/** @param {string} text */
function showTrouble(text) {
  byId('trouble').textContent = text;
  byId('trouble').hidden = text === '';
}

async function setPassword() {
  const code = valueOf('code').trim();
  const answer = await fetch('auth/password', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token, password: valueOf('password'), ...(code !== '' && { code }) }),
  });
  if (answer.ok) {
    byId('form').hidden = true;
    byId('state').textContent = 'Your password is set. You can sign in now.';
    return;
  }
  /** @type {unknown} */
  const content = await answer.json();
  const { detail, errors = [] } = /** @type {{ detail: string, errors?: { message: string }[] }} */ (content);
  showTrouble(errors[0]?.message ?? detail);
}

let isSending = false;

byId('form').addEventListener('submit', (event) => {
  event.preventDefault();
  // A link counts once: the second of two clicks would be told that it does not count.
  if (isSending) return;
  isSending = true;
  showTrouble('');
  setPassword()
    .catch(() => showTrouble('The service cannot be reached. Try again.'))
    .finally(() => (isSending = false));
});
if (token === '') showTrouble('Open this page by the link in your mail.');
