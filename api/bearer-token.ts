/**
 * The token of `Authorization: Bearer <token>` (RFC 6750), empty if it has another form. Null without the header, and for
 * other schemes: a proxy in front may hand its own sign-in on.
 */
export function bearerToken(authorization: string | undefined): string | null {
  if (authorization === undefined || !/^Bearer(?: |$)/i.test(authorization)) return null;
  return /^Bearer +([A-Za-z0-9._~+/=-]+) *$/i.exec(authorization)?.[1] ?? '';
}
