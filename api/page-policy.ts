/** Content-Security-Policy of the plain pages: loads from its own origin only, no frames, no HTML from strings. */
export const PAGE_POLICY = policyOf(["img-src 'self' data:", "frame-ancestors 'none'"]);

/**
 * Content-Security-Policy of the pages that Vite builds: also pictures that the page itself has made, frames in pages of the
 * origins given, and HTML from strings by lit alone, which writes only its own templates that way.
 */
export function builtPagePolicy(frameOrigins: readonly string[] = []): string {
  return policyOf([
    "img-src 'self' data: blob:",
    `frame-ancestors ${frameOrigins.length === 0 ? "'none'" : frameOrigins.join(' ')}`,
    'trusted-types lit-html',
  ]);
}

function policyOf(more: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    ...more,
  ].join('; ');
}
