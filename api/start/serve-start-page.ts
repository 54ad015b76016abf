import { readFileSync } from 'node:fs';
import type { Express } from 'express';
import type { Settings } from '../../process/settings.ts';
import type { Deps } from '../deps.ts';
import { PAGE_POLICY } from '../page-policy.ts';
import { isReachedFromElsewhere, ofThisMachine } from '../this-machine.ts';
import { readDemoKeys } from './read-demo-keys.ts';
import { startPage } from './start-page.ts';

/** The build copies the folder `public` next to the compiled file. */
const STYLE = readFileSync(new URL('./public/start.css', import.meta.url));

/**
 * Serves `/`: what is where, for whoever sits at this machine; with the keys of the demo in a sandbox. For all others the path
 * is unknown.
 */
export function serveStartPage(app: Express, { db, settings }: Pick<Deps, 'db' | 'settings'>): void {
  if (isReachedFromElsewhere(settings)) return;
  const isSandbox = settings.ENVIRONMENT === 'sandbox';
  app.get('/', ofThisMachine, (_request, response) => {
    response.locals.route = '/';
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    const page = startPage({
      walletUrl: db.walletUrl,
      temporalUrl: temporalUrlOf(settings),
      hasMailbox: isSandbox && settings.SMTP_URL === undefined,
      demo: isSandbox ? readDemoKeys(settings.WAYBILL_HOME) : null,
    });
    response.type('html').end(page);
  });
  app.get('/start.css', ofThisMachine, (_request, response) => {
    response.locals.route = '/';
    response.type('css').end(STYLE);
  });
}

/** The list of workflows in this system's namespace: without it the UI opens another one, which is empty. */
function temporalUrlOf({ TEMPORAL_UI_URL, TEMPORAL_NAMESPACE }: Settings): string | null {
  if (TEMPORAL_UI_URL === undefined) return null;
  const base = TEMPORAL_UI_URL.replace(/\/+$/, '');
  return `${base}/namespaces/${encodeURIComponent(TEMPORAL_NAMESPACE)}/workflows`;
}
