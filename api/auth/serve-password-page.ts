import { readFileSync } from 'node:fs';
import type { Express } from 'express';
import { servePlainPage } from '../plain-page.ts';

/** The build copies the folder `public` next to the compiled file. */
const PAGE = readFileSync(new URL('./public/password.html', import.meta.url));
const SCRIPT = readFileSync(new URL('./public/password.js', import.meta.url));

/** Serves the page to which the links of invitations and password resets lead. */
export function servePasswordPage(app: Express): void {
  servePlainPage(app, '/password', PAGE, [{ path: '/password.js', type: 'js', content: SCRIPT }]);
}
