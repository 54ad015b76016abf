import { readFileSync } from 'node:fs';
import type { Express } from 'express';

/** The build copies the folder `public` next to the compiled file. */
const STYLE = readFileSync(new URL('./public/plain.css', import.meta.url));

/** Serves the style sheet that the plain pages, of links and of the e-mail portal, have in common. */
export function servePlainStyle(app: Express): void {
  app.get('/plain.css', (_request, response) => {
    response.locals.route = '/plain.css';
    response.type('css').end(STYLE);
  });
}
