import { readFileSync } from 'node:fs';
import type { Express, RequestHandler } from 'express';
import { PAGE_POLICY } from '../page-policy.ts';

/** The build copies the folder `public` next to the compiled file. */
const read = (name: string) => readFileSync(new URL(`./public/${name}`, import.meta.url));
const PAGE = read('portal.html');
const STYLE = read('portal.css');
const SCRIPTS = [
  'portal.js',
  'portal-calls.js',
  'portal-claim.js',
  'portal-message.js',
  'portal-parts.js',
  'portal-party-form.js',
  'portal-words.js',
].map((name) => ({
  path: `/${name}`,
  content: read(name),
}));

/**
 * Serves the page to which the links of the e-mail portal lead. Opening it has no effect. It uses relative paths only, so that a
 * proxy can serve it under another path.
 */
export function servePortalPage(app: Express): void {
  app.get('/portal', named, (_request, response) => {
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    response.type('html').end(PAGE);
  });
  app.get('/portal.css', named, (_request, response) => {
    response.type('css').end(STYLE);
  });
  for (const { path, content } of SCRIPTS) {
    app.get(path, named, (_request, response) => {
      response.type('js').end(content);
    });
  }
}

const named: RequestHandler = (_request, response, next) => {
  response.locals.route = '/portal';
  next();
};
