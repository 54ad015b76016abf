import { readFileSync } from 'node:fs';
import type { Express } from 'express';
import { servePlainPage } from '../plain-page.ts';

/** The build copies the folder `public` next to the compiled file. */
const read = (name: string) => readFileSync(new URL(`./public/${name}`, import.meta.url));
const PAGE = read('portal.html');
const STYLE = { path: '/portal.css', type: 'css', content: read('portal.css') } as const;
const SCRIPTS = [
  'portal.js',
  'portal-calls.js',
  'portal-claim.js',
  'portal-message.js',
  'portal-parts.js',
  'portal-party-form.js',
  'portal-words.js',
].map((name) => ({ path: `/${name}`, type: 'js', content: read(name) }) as const);

/** Serves the page to which the links of the e-mail portal lead. */
export function servePortalPage(app: Express): void {
  servePlainPage(app, '/portal', PAGE, [STYLE, ...SCRIPTS]);
}
