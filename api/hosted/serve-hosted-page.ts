import { readFileSync } from 'node:fs';
import type { Express, RequestHandler } from 'express';

/** The build copies the folder `public` next to the compiled file. */
const PAGE = readFileSync(new URL('./public/page.html', import.meta.url));
const STYLE = readFileSync(new URL('./public/page.css', import.meta.url));
const SCRIPT = readFileSync(new URL('./public/page.js', import.meta.url));

/** Content-Security-Policy of the pages for people: loads from its own origin only, no frames, no HTML from strings. */
export const PAGE_POLICY = [
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
 * Serves the page on which the owner of a wallet proves that it is theirs. The page uses relative paths only, so that a
 * proxy can serve it under another host name.
 */
export function serveHostedPage(app: Express): void {
  app.get('/wallet', named('/wallet'), (request, response) => {
    // Without the slash at the end of the path, the page's relative paths would be wrong.
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
