/** The token of `Authorization: Bearer <token>` (RFC 6750); null without the header. Another scheme gives an empty token. */
export function bearerToken(authorization: string | undefined): string | null {
  if (authorization === undefined) return null;
  return /^Bearer +([A-Za-z0-9._~+/=-]+) *$/i.exec(authorization)?.[1] ?? '';
}
