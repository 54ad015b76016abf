import { ProviderFault } from '../domain/aml/fault.ts';
import type { AmlSubject } from '../domain/aml/finding.ts';
import { chainCode } from '../domain/aml/chain-codes.ts';
import { normalHash } from '../domain/address.ts';
import { walletKeys } from '../domain/sanctions/wallet-key.ts';

const FINISHED = new Set('ready success successful ok done complete completed finished processed'.split(' '));
const RUNNING = /^(in )?(pending|process|processing|progress|queue|queued)$/;

/** Whether the vendor still works on the check. Throws ProviderFault for a status that says neither yes nor no. */
export function isStillRunning(status: string | null | undefined): boolean {
  const word = (status ?? '')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');
  if (word === '' || FINISHED.has(word)) return false;
  if (RUNNING.test(word)) return true;
  throw new ProviderFault('BAD_ANSWER');
}

/** What an answer repeats of the request; null or undefined where it does not. */
interface RepeatedRequest {
  address?: string | null | undefined;
  hash?: string | null | undefined;
  direction?: string | null | undefined;
  /** The vendor's code of the blockchain. */
  chain?: string | null | undefined;
}

/** Throws ProviderFault if the answer repeats another subject than that of the request, in whatever spelling. */
export function requireSameSubject(
  vendor: Parameters<typeof chainCode>[0],
  { kind, blockchain, value, direction, contextAddress }: AmlSubject,
  repeated: RepeatedRequest,
): void {
  const isWallet = kind === 'wallet';
  const isSame =
    agree(isWallet ? value : contextAddress, repeated.address, isSameAddress) &&
    agree(isWallet ? null : value, repeated.hash, isSameHash) &&
    agree(direction, repeated.direction, isSameWord) &&
    // A transaction may be of a token, which has a code of its own, and its hash exists on one chain only.
    agree(isWallet ? chainCode(vendor, blockchain) : null, repeated.chain, isSameWord);
  if (!isSame) throw new ProviderFault('BAD_ANSWER');
}

function agree(
  asked: string | null | undefined,
  repeated: string | null | undefined,
  isSame: (asked: string, repeated: string) => boolean,
): boolean {
  return !asked || !repeated || isSame(asked, repeated);
}

function isSameAddress(asked: string, repeated: string): boolean {
  const keys = new Set(walletKeys(asked));
  return walletKeys(repeated).some((key) => keys.has(key));
}

function isSameHash(asked: string, repeated: string): boolean {
  return isSameWord(normalHash(asked), normalHash(repeated));
}

function isSameWord(asked: string, repeated: string): boolean {
  return asked.toLowerCase() === repeated.toLowerCase();
}
