import { readFileSync } from 'node:fs';
import type { Express, RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { frameOriginsOf, policyFor } from './frame-policy.ts';

/** The build copies the folder `public` next to the compiled file. */
const PAGE = readFileSync(new URL('./public/page.html', import.meta.url));
const STYLE = readFileSync(new URL('./public/page.css', import.meta.url));
const SCRIPTS = ['token.js', 'branding.js', 'page.js'].map((name) => ({
  path: `/wallet/${name}`,
  content: readFileSync(new URL(`./public/${name}`, import.meta.url)),
}));

/**
 * Serves the page on which the owner of a wallet proves that it is theirs. The page uses relative paths only, so that a
 * proxy can serve it under another host name. `limit` counts the requests of an address, since a token is looked up.
 */
export function serveHostedPage(app: Express, deps: Deps, limit: RequestHandler): void {
  app.get('/wallet', named('/wallet'), limit, async (request, response) => {
    // Without the slash at the end of the path, the page's relative paths would be wrong.
    if (!request.path.endsWith('/')) {
      const mark = request.originalUrl.indexOf('?');
      return response.redirect(308, `wallet/${mark < 0 ? '' : request.originalUrl.slice(mark)}`);
    }
    const frameOrigins = await frameOriginsOf(deps, request.originalUrl);
    response.setHeader('Content-Security-Policy', policyFor(frameOrigins));
    // The older header can name no origins.
    if (frameOrigins.length > 0) response.removeHeader('X-Frame-Options');
    response.type('html').end(PAGE);
  });
  app.get('/wallet/page.css', named('/wallet'), (_request, response) => {
    response.type('css').end(STYLE);
  });
  for (const { path, content } of SCRIPTS) {
    app.get(path, named('/wallet'), (_request, response) => {
      response.type('js').end(content);
    });
  }
}

function named(route: string): RequestHandler {
  return (_request, response, next) => {
    response.locals.route = route;
    next();
  };
}
