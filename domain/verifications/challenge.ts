import { invalidField } from '../errors.ts';
import { SYSTEM } from '../events/actor.ts';
import { changed, type VerificationChange } from './change.ts';
import { blockchainAt } from '../normalised-places.ts';
import type { SignInText, VerificationRecord } from './record.ts';
import { readSignInText } from './signatures/read-sign-in-text.ts';
import { signInText } from './signatures/sign-in-text.ts';
import { requireSubmittable } from './submission.ts';

const LIFE_MS = 10 * 60_000;
/** A challenge with less time left is replaced on the next request. */
const MIN_REMAINING_MS = 5 * 60_000;

interface ChallengeInput {
  /** Address of the hosted page. */
  walletUrl: string;
  /** At least 128 random bits, letters and digits. */
  nonce: string;
  now: Date;
}

/**
 * Stores a challenge, the text that the hosted page asks the wallet to sign. It is valid for ten minutes, at most until
 * the verification expires. Null if the stored challenge is still valid long enough. Throws like `requireSubmittable`.
 */
export function makeChallenge(
  record: VerificationRecord,
  { walletUrl, nonce, now }: ChallengeInput,
): VerificationChange | null {
  requireSubmittable(record, 'SIGNATURE_PROOF', now);
  const { signIn } = record.personal;
  if (signIn && new Date(signIn.expiresAt).getTime() - now.getTime() > MIN_REMAINING_MS) return null;
  const expiresAt = new Date(Math.min(now.getTime() + LIFE_MS, record.expiresAt.getTime()));
  const text = signInText({
    domain: new URL(walletUrl).host,
    address: record.address,
    blockchain: blockchainAt('/verificationFlow', record.blockchainKey),
    uri: walletUrl,
    nonce,
    issuedAt: now,
    expiresAt,
    requestId: record.id,
  });
  const made: SignInText = { text, issuedAt: now.toISOString(), expiresAt: expiresAt.toISOString() };
  return changed(
    record,
    { personal: { ...record.personal, signIn: made } },
    { type: 'SIGN_IN_TEXT_MADE', message: 'The hosted page requested a text for signing.', actor: SYSTEM },
    { notify: false },
  );
}

/** The nonce of the challenge, while that is valid: a text that contains it was made for this verification. */
export function issuedNonce({ personal: { signIn } }: VerificationRecord, now: Date): string | undefined {
  if (!signIn || now >= new Date(signIn.expiresAt)) return undefined;
  return readSignInText(signIn.text)?.nonce ?? undefined;
}

/** Whether the message is this verification's own challenge, byte for byte, and still valid. */
export function isOwnChallenge(
  { personal: { signIn } }: VerificationRecord,
  message: string,
  now: Date,
): boolean {
  return signIn !== null && signIn.text === message && now < new Date(signIn.expiresAt);
}

/** Throws validation_failed unless the message is the challenge: the hosted page accepts no other text. */
export function requireOwnChallenge(record: VerificationRecord, message: string, now: Date): void {
  if (isOwnChallenge(record, message, now)) return;
  throw invalidField('/message', 'not_our_text', 'Request the text again and sign it unchanged.');
}
