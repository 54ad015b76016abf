import { readFileSync } from 'node:fs';
import type { Express, RequestHandler } from 'express';
import { PAGE_POLICY } from '../page-policy.ts';

/** The build copies the folder `public` next to the compiled file. */
const PAGE = readFileSync(new URL('./public/password.html', import.meta.url));
const SCRIPT = readFileSync(new URL('./public/password.js', import.meta.url));

/** Serves the page to which the links of invitations and password resets lead. Opening it has no effect. */
export function servePasswordPage(app: Express): void {
  app.get('/password', named, (_request, response) => {
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    response.type('html').end(PAGE);
  });
  app.get('/password.js', named, (_request, response) => {
    response.type('js').end(SCRIPT);
  });
}

const named: RequestHandler = (_request, response, next) => {
  response.locals.route = '/password';
  next();
};
