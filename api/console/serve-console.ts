import type { Express } from 'express';
import type { Settings } from '../../process/settings.ts';
import { serveBuiltPage } from '../built-page.ts';
import { isReachedFromElsewhere } from '../this-machine.ts';
import { builtPagePolicy } from '../page-policy.ts';

/** Serves the review console of tenants. It uses the endpoints of the API, like any client. */
export function serveConsole(app: Express, settings: Settings): void {
  serveBuiltPage(app, {
    name: 'console',
    path: '/console',
    meta: temporalMeta(settings),
    prepare: [
      (_request, response, next) => {
        response.setHeader('Content-Security-Policy', builtPagePolicy());
        next();
      },
    ],
  });
}

/** Where the Temporal UI lists workflows. Told only where everything runs on the person's own machine: the UI asks nobody who they are. */
function temporalMeta(settings: Settings): Record<string, string> {
  const { TEMPORAL_UI_URL, TEMPORAL_NAMESPACE } = settings;
  if (TEMPORAL_UI_URL === undefined || isReachedFromElsewhere(settings)) return {};
  const ui = TEMPORAL_UI_URL.replace(/\/+$/, '');
  return { 'temporal-workflows': `${ui}/namespaces/${encodeURIComponent(TEMPORAL_NAMESPACE)}/workflows` };
}
