import type { RequestHandler } from 'express';

const EXPOSED = [
  'X-Total-Count',
  'X-Request-Id',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Idempotency-Replayed',
].join(', ');
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const HEADERS = [
  'Content-Type',
  'Authorization',
  'X-Api-Key',
  'X-Operator-Key',
  'Idempotency-Key',
  'X-Request-Id',
  'Prefer',
].join(', ');
const PREFLIGHT_SECONDS = 600;

/** CORS for exactly the configured origins; credentials travel in headers, so cookies are never allowed. */
export function allowOrigins(origins: readonly string[]): RequestHandler {
  const allowed = new Set(origins);
  return (request, response, next) => {
    if (allowed.size > 0) response.vary('Origin');
    const { origin } = request.headers;
    if (origin === undefined || !allowed.has(origin)) return next();
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', EXPOSED);
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'];
    if (!isPreflight) return next();
    response.setHeader('Access-Control-Allow-Methods', METHODS);
    response.setHeader('Access-Control-Allow-Headers', HEADERS);
    response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
    response.statusCode = 204;
    response.end();
  };
}
