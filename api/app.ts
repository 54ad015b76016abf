import express, { type Express, type RequestHandler } from 'express';
import type { Deps } from './deps.ts';
import { serveDocs } from './docs-page.ts';
import type { Endpoint } from './endpoint.ts';
import { DomainError } from '../domain/errors.ts';
import type { LimitKind } from './caller.ts';
import { serveConsole } from './console/serve-console.ts';
import { handleErrors, refuseUnknownPath } from './errors.ts';
import { serveMailbox } from './auth/serve-mailbox.ts';
import { servePasswordPage } from './auth/serve-password-page.ts';
import { servePortalPage } from './portal/serve-portal-page.ts';
import { serveHostedPage } from './hosted/serve-hosted-page.ts';
import { servePlainStyle } from './plain-style/serve-plain-style.ts';
import { serveStartPage } from './start/serve-start-page.ts';
import { allowOrigins } from './middleware/allow-origins.ts';
import { auditRefusals } from './middleware/audit-requests.ts';
import { authenticate, permit } from './middleware/authenticate.ts';
import { checkAnswers } from './middleware/check-answers.ts';
import { handleEndpoint } from './middleware/handle-endpoint.ts';
import { createFailedKeys } from './middleware/failed-keys.ts';
import { createRateLimits } from './middleware/limit-rate.ts';
import { logRequests } from './middleware/log-requests.ts';
import { measureRequests } from './middleware/measure-requests.ts';
import { giveRequestId } from './middleware/request-id.ts';
import { securityHeaders } from './middleware/security-headers.ts';

/** What is served beside the endpoints. */
const PAGES = ['/openapi.json', '/docs', '/wallet', '/password', '/portal', '/console'];

export interface AppOptions {
  endpoints: readonly Endpoint[];
  deps: Deps;
  /** For tests: an answer that its endpoint does not declare becomes an internal error. */
  checkResponses?: boolean;
  /** False for a listener that serves its endpoints alone. */
  servesPages?: boolean;
  /** False for a listener without a proxy in front: what a caller says of its address counts for nothing there. */
  isBehindProxy?: boolean;
}

/** Builds the Express application: the middleware in the order in which requests pass it, then the endpoints. */
export function createApp({
  endpoints,
  deps,
  checkResponses = false,
  servesPages = true,
  isBehindProxy = deps.settings.TRUST_PROXY,
}: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  // Trusts one proxy only: the caller can forge every address further left in X-Forwarded-For.
  app.set('trust proxy', isBehindProxy ? 1 : false);

  app.use(giveRequestId());
  app.use(allowOrigins(deps.settings.CORS_ORIGINS));
  app.use(securityHeaders());
  app.use(logRequests(deps.log), measureRequests(deps.metrics));
  const limits = createRateLimits(deps);
  if (servesPages) {
    serveDocs(app, endpoints);
    serveHostedPage(app, deps, limits.HOSTED);
    servePlainStyle(app);
    servePasswordPage(app);
    servePortalPage(app);
    serveConsole(app, deps.settings);
    serveMailbox(app, deps);
    serveStartPage(app, deps);
    app.all(PAGES, refuseOtherMethods('GET, HEAD'));
  }
  route(app, checkResponses ? endpoints.map(checkAnswers) : endpoints, { deps, limits });
  app.use(refuseUnknownPath());
  app.use(handleErrors());
  return app;
}

function route(
  app: Express,
  endpoints: readonly Endpoint[],
  { deps, limits }: { deps: Deps; limits: Record<LimitKind, RequestHandler> },
): void {
  const failedKeys = createFailedKeys(deps.settings.RATE_LIMIT_ANONYMOUS);
  for (const [path, ofPath] of byPath(endpoints)) {
    const route = app.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    route.all(namePath(path));
    for (const endpoint of ofPath) {
      const method = endpoint.method.toLowerCase() as Lowercase<Endpoint['method']>;
      const caller = authenticate(endpoint, deps, failedKeys);
      // Express gives HEAD to the handler of GET.
      if (endpoint.refusesHead) route.head(refuseOtherMethods(methodsOf(ofPath)));
      const handlers = [caller, limits[endpoint.limit], permit(endpoint), handleEndpoint(endpoint, deps)];
      route[method](handlers, auditRefusals(endpoint, deps));
    }
    route.all(refuseOtherMethods(methodsOf(ofPath)));
  }
}

/** Groups the endpoints by path. Fixed segments come before parameters, so `lookup` in `/entities/lookup` is no id. */
function byPath(endpoints: readonly Endpoint[]): [string, Endpoint[]][] {
  const paths = new Map<string, Endpoint[]>();
  for (const endpoint of endpoints) {
    paths.set(endpoint.path, [...(paths.get(endpoint.path) ?? []), endpoint]);
  }
  // '{' sorts after every letter.
  return [...paths].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

function namePath(path: string): RequestHandler {
  return (_request, response, next) => {
    response.locals.route = path;
    next();
  };
}

function methodsOf(endpoints: readonly Endpoint[]): string {
  return endpoints
    .flatMap(({ method, refusesHead }) => (method === 'GET' && !refusesHead ? ['GET', 'HEAD'] : [method]))
    .join(', ');
}

function refuseOtherMethods(methods: string): RequestHandler {
  return (_request, response) => {
    response.setHeader('Allow', methods);
    throw new DomainError('method_not_allowed', `This path takes ${methods} only.`);
  };
}
