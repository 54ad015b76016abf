import type { WordKey } from './language.ts';
import type { PageState } from './page.ts';
import { NoAnswer, Refusal } from './verification-calls.ts';
import { WalletFault } from './wallets/signing-wallet.ts';

/** What the codes of the service mean for the owner of a wallet. */
const REFUSALS: Record<string, WordKey> = {
  signature_mismatch: 'troubleWrongSignature',
  signature_malformed: 'troubleMalformed',
  invalid_signature: 'troubleMalformed',
  signature_typed_data: 'troubleTypedData',
  contract_wallet: 'troubleContract',
  file_type_not_allowed: 'troubleFileRefused',
  file_infected: 'troubleFileRefused',
  too_large: 'fileTooLarge',
  file_too_large: 'fileTooLarge',
  rate_limited: 'troubleRate',
};

const WALLET_FAULTS: Record<WalletFault['kind'], WordKey> = {
  REFUSED: 'troubleRefused',
  WRONG_ACCOUNT: 'troubleAccount',
  UNSUPPORTED: 'troubleUnsupported',
  BUSY: 'troubleBusy',
  OTHER: 'troubleWallet',
};

/** A fault in the language of the page. */
export function troubleText({ say, verification }: PageState, error: unknown): string {
  const address = verification?.address ?? '';
  if (error instanceof WalletFault) {
    const isSilent = error.kind === 'OTHER' && error.message === '';
    if (isSilent) return say('troubleOther', { detail: '' });
    return say(WALLET_FAULTS[error.kind], { address, account: error.message, detail: error.message });
  }
  if (error instanceof NoAnswer) return say('offline');
  if (!(error instanceof Refusal)) return say('troubleOther', { detail: messageOf(error) });
  const known = REFUSALS[error.code];
  if (known) return say(known, { count: verification?.triesLeft ?? 0 });
  if (error.status === 429) return say('troubleRate');
  if (error.status >= 500) return say('troubleAway');
  return say('troubleOther', { detail: error.message });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}
