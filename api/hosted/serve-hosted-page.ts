import type { Express, RequestHandler } from 'express';
import { serveBuiltPage } from '../built-page.ts';
import type { Deps } from '../deps.ts';
import { builtPagePolicy } from '../page-policy.ts';
import { frameOriginsOf } from './frame-origins.ts';

/**
 * Serves the page on which the owner of a wallet proves that it is theirs. `limit` counts the requests of an address, since a
 * token is looked up.
 */
export function serveHostedPage(app: Express, deps: Deps, limit: RequestHandler): void {
  serveBuiltPage(app, { name: 'hosted', path: '/wallet', prepare: [limit, allowFrames(deps)] });
}

function allowFrames(deps: Deps): RequestHandler {
  return async (request, response, next) => {
    const frameOrigins = await frameOriginsOf(deps, request.originalUrl);
    response.setHeader('Content-Security-Policy', builtPagePolicy(frameOrigins));
    // The older header can name no origins.
    if (frameOrigins.length > 0) response.removeHeader('X-Frame-Options');
    next();
  };
}
