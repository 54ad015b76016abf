// What the page of the portal asks of the service. The token of the link is a fragment, which no server gets; the page removes
// it from the address bar at once and sends it in a header.

/** @import { PortalLinkView, PortalClaim, PortalMessage, AnswerMessageBody } from '../../../domain/portal/schema.ts' */
/** @import { ClaimedDataBody } from '../../../domain/claims/schema.ts' */

const token = location.hash.slice(1) || kept('portal-token');
keep('portal-token', token);
history.replaceState(null, '', location.pathname);
// Another link differs in its fragment alone, with which a browser loads nothing anew.
addEventListener('hashchange', () => location.reload());

/** An answer that the page acts on; its message is for people. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export function hasToken() {
  return token !== '';
}

/** @returns {Promise<PortalLinkView>} */
export async function readLink() {
  return /** @type {PortalLinkView} */ (await call('GET', 'portal/link'));
}

export async function askForCode() {
  await call('POST', 'portal/code', {});
}

export async function askForLink() {
  await call('POST', 'portal/new-link', {});
}

/** @param {string} code */
export async function giveCode(code) {
  const opened = await call('POST', 'portal/session', { code });
  keep('portal-session', /** @type {{ session: string }} */ (opened).session);
}

/** @returns {Promise<PortalMessage>} */
export async function readMessage() {
  return /** @type {PortalMessage} */ (await call('GET', 'portal/message'));
}

/**
 * @param {AnswerMessageBody} answer
 * @returns {Promise<PortalMessage>}
 */
export async function answerMessage(answer) {
  return /** @type {PortalMessage} */ (await call('PATCH', 'portal/message', answer));
}

/**
 * @param {import('../../../domain/transactions/repair-request.ts').RepairField[]} fields
 * @param {string} reason
 * @returns {Promise<PortalMessage>}
 */
export async function askForData(fields, reason) {
  const asked = await call('POST', 'portal/message/repair', { fields, ...(reason && { reason }) });
  return /** @type {PortalMessage} */ (asked);
}

/** @returns {Promise<PortalClaim>} */
export async function readClaim() {
  return /** @type {PortalClaim} */ (await call('GET', 'portal/claim'));
}

/**
 * @param {string} statusReasoning
 * @returns {Promise<PortalClaim>}
 */
export async function declineClaim(statusReasoning) {
  const body = { status: 'DECLINED', ...(statusReasoning && { statusReasoning }) };
  return /** @type {PortalClaim} */ (await call('PATCH', 'portal/claim', body));
}

/**
 * @param {ClaimedDataBody} data
 * @returns {Promise<PortalClaim>}
 */
export async function answerClaim(data) {
  return /** @type {PortalClaim} */ (await call('POST', 'portal/claim/answer', data));
}

export function hasSession() {
  return kept('portal-session') !== '';
}

/**
 * Answers what is asked. Where that has ended meanwhile, by its sender, another answer or its time, it is shown; while it can be
 * answered, what was typed stays.
 * @template {{ status: string }} Asked
 * @param {() => Promise<Asked>} answer
 * @param {{ read: () => Promise<Asked>, show: (asked: Asked) => void }} asked
 */
export async function answerAsked(answer, { read, show }) {
  try {
    show(await answer());
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 409) throw error;
    const asked = await read();
    if (asked.status !== 'DELIVERED') show(asked);
    throw error;
  }
}

/**
 * @param {'GET' | 'POST' | 'PATCH'} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<unknown>}
 */
async function call(method, path, body) {
  const session = kept('portal-session');
  const answer = await fetch(path, {
    method,
    headers: {
      'X-Portal-Token': token,
      ...(session && { 'X-Portal-Session': session }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
    cache: 'no-store',
  });
  const content = await contentOf(answer);
  if (answer.ok) return content;
  if (answer.status === 403)
    throw new Refusal(403, 'This page is closed at the moment. Please come back later.');
  const {
    detail,
    isDeleted,
    errors = [],
  } = /** @type {{ detail: string, isDeleted?: boolean, errors?: { message: string }[] }} */ (content);
  if (answer.status === 404 && !isDeleted)
    throw new Refusal(404, 'This link is not valid. Open the one in your mail.');
  throw new Refusal(answer.status, sentence(errors[0]?.message ?? detail));
}

/**
 * What the service has answered. Something else comes from a proxy that does not reach it, which is told as no answer.
 * @param {Response} answer
 * @returns {Promise<unknown>}
 */
async function contentOf(answer) {
  try {
    return await answer.json();
  } catch {
    throw new TypeError('no answer of the service');
  }
}

/** @param {string} text */
function sentence(text) {
  const begun = text.slice(0, 1).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

/**
 * What survives a reload. A browser may refuse to keep anything.
 * @param {string} name
 */
function kept(name) {
  try {
    return sessionStorage.getItem(name) ?? '';
  } catch (error) {
    if (error instanceof DOMException) return '';
    throw error;
  }
}

/**
 * @param {string} name
 * @param {string} text
 */
function keep(name, text) {
  try {
    // Another link opens nothing of the one before.
    if (name === 'portal-token' && sessionStorage.getItem(name) !== text) sessionStorage.clear();
    sessionStorage.setItem(name, text);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
