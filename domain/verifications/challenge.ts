import { invalidField } from '../errors.ts';
import { SYSTEM } from '../events/actor.ts';
import { changed, type VerificationChange } from './change.ts';
import { chainAt } from './new-verification.ts';
import type { SignInText, VerificationRecord } from './record.ts';
import { signInText } from './signatures/sign-in-text.ts';
import { requireSubmittable } from './submission.ts';

const LIFE_MS = 10 * 60_000;
/** A text with less than this is replaced when it is asked for. */
const ENOUGH_MS = 5 * 60_000;

interface ChallengeInput {
  /** Where the hosted page is. */
  walletUrl: string;
  /** At least 128 random bits, letters and digits. */
  nonce: string;
  now: Date;
}

/**
 * The text that the hosted page asks the wallet to sign: kept for ten minutes, never longer than the verification. Null
 * while there is one that will do. Throws what a submission would be refused with.
 */
export function makeOwnText(
  record: VerificationRecord,
  { walletUrl, nonce, now }: ChallengeInput,
): VerificationChange | null {
  requireSubmittable(record, 'SIGNATURE_PROOF', now);
  const { signIn } = record.personal;
  if (signIn && new Date(signIn.expiresAt).getTime() - now.getTime() > ENOUGH_MS) return null;
  const expiresAt = new Date(Math.min(now.getTime() + LIFE_MS, record.expiresAt.getTime()));
  const text = signInText({
    domain: new URL(walletUrl).host,
    address: record.address,
    blockchain: chainAt('/verificationFlow', record.blockchainKey),
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
    { type: 'SIGN_IN_TEXT_MADE', message: 'The hosted page asked for a text to be signed.', actor: SYSTEM },
    { notify: false },
  );
}

/** Our own text for this very verification needs no reading: it is compared byte for byte. */
export function isOwnChallenge(
  { personal: { signIn } }: VerificationRecord,
  message: string,
  now: Date,
): boolean {
  return signIn !== null && signIn.text === message && now < new Date(signIn.expiresAt);
}

/** The hosted page takes no other text. Throws validation_failed. */
export function requireOwnText(record: VerificationRecord, message: string, now: Date): void {
  if (isOwnChallenge(record, message, now)) return;
  throw invalidField('/message', 'not_our_text', 'Ask for the text anew and sign it as it is.');
}
