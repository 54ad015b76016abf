import { readFileSync } from 'node:fs';
import type { Express, RequestHandler } from 'express';

/** The build copies the folder to its place beside the compiled file. */
const PAGE = readFileSync(new URL('./public/page.html', import.meta.url));
const STYLE = readFileSync(new URL('./public/page.css', import.meta.url));
const SCRIPT = readFileSync(new URL('./public/page.js', import.meta.url));

/** Everything from its own place; nobody frames it, and texts from elsewhere never become markup. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/**
 * The page on which the owner of a wallet proves it. It asks for everything by paths beside its own, so that a proxy may
 * put it on a name of its own.
 */
export function serveHostedPage(app: Express): void {
  app.get('/wallet', named('/wallet'), (request, response) => {
    // Below a path without the slash at its end the page would look for its parts in the wrong place.
    if (!request.path.endsWith('/')) {
      const mark = request.originalUrl.indexOf('?');
      return response.redirect(308, `wallet/${mark < 0 ? '' : request.originalUrl.slice(mark)}`);
    }
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    response.type('html').end(PAGE);
  });
  app.get('/wallet/page.css', named('/wallet'), (_request, response) => {
    response.type('css').end(STYLE);
  });
  app.get('/wallet/page.js', named('/wallet'), (_request, response) => {
    response.type('js').end(SCRIPT);
  });
}

function named(route: string): RequestHandler {
  return (_request, response, next) => {
    response.locals.route = route;
    next();
  };
}
