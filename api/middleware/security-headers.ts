import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** The documentation page runs its own scripts; Swagger UI sets style attributes and inlines its icons. */
export const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Headers for an API: nothing is framed, sniffed, cached or run. */
export function securityHeaders(): RequestHandler[] {
  return [
    (_request, response, next) => {
      response.setHeader('Cache-Control', 'no-store');
      next();
    },
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      },
      xFrameOptions: { action: 'deny' },
      // Headers that steer documents and plug-ins say nothing about JSON.
      crossOriginOpenerPolicy: false,
      originAgentCluster: false,
      xDnsPrefetchControl: false,
      xDownloadOptions: false,
      xPermittedCrossDomainPolicies: false,
      xXssProtection: false,
    }),
  ];
}
