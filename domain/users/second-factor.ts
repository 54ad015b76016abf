import { Secret, TOTP } from 'otpauth';

/** Stored data of a user's second factor, encrypted. */
export interface SecondFactor {
  /** The shared secret of the codes, base32 (RFC 4648). */
  secret: string;
  /** SHA-256, hex, of the recovery codes that are left. */
  recoveryHashes: readonly string[];
}

const PERIOD_SECONDS = 30;
/** A clock may be wrong by one step. */
const WINDOW = 1;

/** Codes of six digits, new every 30 seconds (TOTP, RFC 6238, SHA-1, as all authenticator apps take). */
function codesOf(secret: string, label = ''): TOTP {
  return new TOTP({
    issuer: 'Waybill',
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
  });
}

/** The address that an authenticator app reads from a QR code; it contains the secret. */
export function setupUri(secret: string, email: string): string {
  return codesOf(secret, email).toString();
}

/** The step of time (30 s since 1970) whose code this is, of the last, the current and the next one; null if of none. */
export function stepOfCode(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const delta = codesOf(secret).validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? null : Math.floor(timestamp / 1_000 / PERIOD_SECONDS) + delta;
}
