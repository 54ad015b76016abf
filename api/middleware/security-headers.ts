import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** Content-Security-Policy of `/docs`: allows its own scripts, and the style attributes and inline icons of Swagger UI. */
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

/** Sets the security headers of API responses: browsers must not frame, sniff, cache or run them. */
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
      // These headers concern documents and plug-ins; they have no effect on JSON.
      crossOriginOpenerPolicy: false,
      originAgentCluster: false,
      xDnsPrefetchControl: false,
      xDownloadOptions: false,
      xPermittedCrossDomainPolicies: false,
      xXssProtection: false,
    }),
  ];
}
