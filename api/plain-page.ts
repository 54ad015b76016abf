import type { Express, RequestHandler } from 'express';
import { PAGE_POLICY } from './page-policy.ts';

interface PlainFile {
  path: string;
  type: 'js' | 'css';
  content: Buffer;
}

/**
 * Serves a plain page and the files beside it. Opening it has no effect. It uses relative paths only, so that a proxy can serve it
 * under another path; with a slash at its end these would lead elsewhere, so it leads to the path without.
 */
export function servePlainPage(
  app: Express,
  path: `/${string}`,
  page: Buffer,
  files: readonly PlainFile[],
): void {
  const named: RequestHandler = (_request, response, next) => {
    response.locals.route = path;
    next();
  };
  app.get(path, named, (request, response) => {
    if (request.path.endsWith('/')) {
      const query = request.originalUrl.split('?')[1];
      response.redirect(308, query === undefined ? `..${path}` : `..${path}?${query}`);
      return;
    }
    response.setHeader('Content-Security-Policy', PAGE_POLICY);
    response.type('html').end(page);
  });
  for (const file of files) {
    app.get(file.path, named, (_request, response) => {
      response.type(file.type).end(file.content);
    });
  }
}
