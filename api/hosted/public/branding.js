// The tenant's look on the hosted page: its name, its colour, and its pictures where it has some.

import { token } from './token.js';

/** @import { HostedVerification } from '../../../domain/verifications/hosted.ts' */

let isBranded = false;

/**
 * Shows the look once. The name stands until the logo has come, so it stays where there is none or it cannot be shown.
 * @param {HostedVerification} verification
 */
export function showBranding({ tenantName, branding }) {
  if (isBranded) return;
  isBranded = true;
  const name = branding.displayName ?? tenantName;
  const heading = /** @type {HTMLElement} */ (document.getElementById('brand'));
  heading.textContent = name;
  heading.hidden = false;
  if (branding.color) document.documentElement.style.setProperty('--brand', branding.color);
  if (branding.hasLogo) void showPicture('logo', (source) => showLogo(heading, { name, source }));
  if (branding.hasIcon) void showPicture('icon', showIcon);
}

/**
 * @param {HTMLElement} heading
 * @param {{ name: string, source: string }} logo
 */
function showLogo(heading, { name, source }) {
  const picture = document.createElement('img');
  picture.alt = name;
  picture.addEventListener('load', () => heading.replaceChildren(picture));
  picture.src = source;
}

/** @param {string} source */
function showIcon(source) {
  const link = document.querySelector('link[rel="icon"]');
  if (link instanceof HTMLLinkElement) link.href = source;
}

/**
 * Fetches a picture, since the token travels in a header, which a browser sends for no image element.
 * @param {'logo' | 'icon'} kind
 * @param {(source: string) => void} use
 */
async function showPicture(kind, use) {
  const headers = { 'X-Verification-Token': token };
  const answer = await fetch(`verification/branding/${kind}`, { headers, cache: 'no-store' });
  if (answer.ok) use(await dataUrlOf(await answer.blob()));
}

/**
 * @param {Blob} content
 * @returns {Promise<string>}
 */
function dataUrlOf(content) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(/** @type {string} */ (reader.result)));
    reader.addEventListener('error', () => reject(reader.error));
    reader.readAsDataURL(content);
  });
}
