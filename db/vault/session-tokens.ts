import { createHash } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { SealingKey } from './cipher.ts';
import type { Keyring } from './keyring.ts';
import { purposeKey } from './purpose-key.ts';

/** The user and the session that a token names. */
export interface SessionClaims {
  userId: string;
  sessionId: string;
}

const ISSUER = 'waybill';
const ALGORITHM = 'HS256';

/** What a token is for. Each kind has a key and a type of its own, so that none counts as the other. */
type TokenKind = 'access-token' | 'page-cookie';
const TYPES: Readonly<Record<TokenKind, string>> = { 'access-token': 'at+jwt', 'page-cookie': 'page+jwt' };

/**
 * Makes and reads the tokens of sessions of one kind (JWT, RFC 7519). Their key is derived from the deployment's hash key, so a token of another
 * deployment names a key that this one does not have.
 */
export class SessionTokens {
  readonly #audience: string;
  readonly #type: string;
  readonly #current: string;
  readonly #byId: ReadonlyMap<string, Buffer>;

  constructor({ current, byVersion }: Keyring, environment: string, kind: TokenKind) {
    const secretOf = (key: SealingKey) => purposeKey(key, kind);
    this.#audience = environment;
    this.#type = TYPES[kind];
    this.#current = keyIdOf(secretOf(current));
    this.#byId = new Map([...byVersion.values()].map(secretOf).map((secret) => [keyIdOf(secret), secret]));
  }

  async make({ userId, sessionId }: SessionClaims, { now, expiresAt }: { now: Date; expiresAt: Date }) {
    const secret = this.#byId.get(this.#current);
    if (!secret) throw new Error('The current key of tokens is not loaded.');
    return await new SignJWT({ sid: sessionId })
      .setProtectedHeader({ alg: ALGORITHM, typ: this.#type, kid: this.#current })
      .setIssuer(ISSUER)
      .setAudience(this.#audience)
      .setSubject(userId)
      .setIssuedAt(now)
      .setExpirationTime(expiresAt)
      .sign(secret);
  }

  /** Reads a token. Null if this deployment has not made it for this environment, or if it has ended. */
  async read(token: string, now: Date): Promise<SessionClaims | null> {
    try {
      const { payload } = await jwtVerify(token, ({ kid = '' }) => this.#keyOf(kid), {
        algorithms: [ALGORITHM],
        typ: this.#type,
        issuer: ISSUER,
        audience: this.#audience,
        requiredClaims: ['sub', 'sid', 'exp'],
        currentDate: now,
      });
      const { sub, sid } = payload;
      return typeof sub === 'string' && typeof sid === 'string' ? { userId: sub, sessionId: sid } : null;
    } catch (error) {
      if (error instanceof errors.JOSEError) return null;
      throw error;
    }
  }

  #keyOf(keyId: string): Buffer {
    const secret = this.#byId.get(keyId);
    if (!secret) throw new errors.JWSInvalid('The token names an unknown key.');
    return secret;
  }
}

function keyIdOf(secret: Buffer): string {
  return createHash('sha256').update(secret).digest('hex').slice(0, 16);
}
