/** The colour of a code: its meaning is always in the words, too. */
export type Tone = 'plain' | 'good' | 'attention' | 'bad';

/** Codes of the API whose words are not simply those of the code. */
const WORDS: Readonly<Record<string, string>> = {
  TRANSACTION: 'Transaction',
  VERIFICATION: 'Wallet proof',
  RULE_CONFIGURATION: 'Rules',
  API_KEY: 'API key',
  SERVICE_KEY: 'Service key',
  WEBHOOK: 'Webhook endpoint',
  SANCTIONS: 'Possible sanctions match',
  RULE: 'A rule asks for review',
  UNSCREENED: 'Could not be screened',
  COUNTERPARTY: 'Counterparty',
  INCOMPLETE_PARTY: 'Party data is incomplete',
  MAILBOX: 'Answer from an unproven mailbox',
  TRAVEL_ADDRESS: 'Address differs from the travel address',
  ON_HOLD: 'On hold',
  VASP_NOT_FOUND: 'VASP not found',
  VASP_NOT_REACHABLE: 'VASP not reachable',
  EMAIL_SENT: 'E-mail sent',
  ADDITIONAL_STEP: 'An additional step was submitted',
  CLAIMED: 'Another VASP asks who sent a transfer',
  DRAFT_NOT_PUBLISHED: 'The draft is not published',
  MAKING: 'Being made',
  ON: 'Held back',
  RELEASING: 'Being released',
  PAUSED: 'Held back by a brake',
  BLOCK_GUARDED: 'The rules blocked so much that blocking is paused',
  REVIEW_DUE: 'The review is due',
  REPEATED_FAILURES: 'Repeated failures',
  HASH_MISSING: 'Confirmed, but without a transaction hash',
  ANSWER_MISSING: 'No answer for too long',
  MESSAGE_MISSING: 'Coins came, no message',
  ENDPOINT_DISABLED: 'Too many deliveries failed',
  EXPIRES_SOON: 'Expires soon',
  REFUSED_BY_PROVIDER: 'The provider refuses the key',
  FIX_ROUTING: 'Name the VASP',
  PROVIDE_DATA: 'Provide the data asked for',
  RETRY: 'Try again',
  ANSWER_CLAIM: 'Answer',
  RENEW_DUE_DILIGENCE: 'Renew due diligence',
  RECORD_STEP: 'Record a step',
  SET_WEBHOOK_URL: 'Set the address again',
  ADD_HASH: 'Add the transaction hash',
  ADD_BLOCKCHAIN: 'Name the blockchain',
  CONTACT_COUNTERPARTY: 'Contact the counterparty',
  DECIDE_ON_ASSETS: 'Decide on the coins',
  RULES: 'Publish rules',
  SUPPRESSION: 'Suppress a match',
  WEBHOOK_URL: 'Change the webhook address',
  ADDRESS_QUESTION_URL: 'Change the address for questions',
  FOUR_EYES: 'Change four eyes',
  CONFIRM_WALLET: 'Confirm the wallet',
  REVIEW_OVERDUE: 'Review is overdue',
  GO: 'May move',
  STOP: 'Must not move',
  GAVE_UP: 'Given up',
  'wallet-verification': 'Wallet verification',
  NATURAL: 'Person',
  LEGAL: 'Organisation',
  NON_CUSTODIAL: 'Self-hosted',
  ADMIN: 'Administrator',
  primary: 'Name',
  aka: 'Also known as',
  fka: 'Formerly known as',
  weak: 'Weak alias',
  original_script: 'Original script',
};

/** A code as words: `AWAITING_COUNTERPARTY` is `Awaiting counterparty`. */
export function words(code: string): string {
  const known = WORDS[code];
  if (known !== undefined) return known;
  const plain = code.replaceAll(/[_-]/g, ' ').trim();
  const lower = /^[A-Z\d _-]+$/.test(code) ? plain.toLowerCase() : plain;
  return lower.charAt(0).toUpperCase() + lower.slice(1);
}

/** What a person does next, as words: some of these words mean something else where they are kinds of records. */
export function actionWords(code: string): string {
  return code === 'CLAIM' ? 'Ask the sender’s VASP' : words(code);
}

/** Why something waits for a person, as words: a record that is pending waits for this person's decision. */
export function reasonWords(code: string): string {
  return code === 'PENDING' || code === 'DELIVERED' ? 'Not decided yet' : words(code);
}

/** A field of a record as words: `originator.dateOfBirth` is `Originator: date of birth`. */
export function fieldWords(field: string): string {
  const [first = '', ...rest] = field
    .split('.')
    .map((part) => part.replaceAll(/([A-Z])/g, ' $1').toLowerCase());
  const owner = first.charAt(0).toUpperCase() + first.slice(1);
  return rest.length === 0 ? owner : `${owner}: ${rest.join(' ')}`;
}

/** Fields that are missing, as completeness names them: `a+b|c` is both of the first two, or the third. */
export function missingWords(missing: string): string {
  const either = missing.split('|').map((all) => all.split('+').map((field) => fieldWords(field)));
  const texts = either.map((all) => all.map((one, at) => (at === 0 ? one : one.toLowerCase())).join(', '));
  return texts
    .map((one, at) => (at === 0 ? one : `or ${one.charAt(0).toLowerCase()}${one.slice(1)}`))
    .join(', ');
}

/** Who decided, where it was no rule. */
export function deciderWords(decidedBy: string): string {
  if (decidedBy === 'default') return 'because no rule applies';
  return decidedBy === 'undecided' ? 'because a rule cannot be decided' : words(decidedBy).toLowerCase();
}

const TONES: Readonly<Record<string, Tone>> = {
  CONFIRMED: 'good',
  VERIFIED: 'good',
  ANSWERED: 'good',
  GO: 'good',
  PROCEED: 'good',
  ALLOW: 'good',
  ACTIVE: 'good',
  CARRIED_OUT: 'good',
  READY: 'good',
  low: 'good',
  ON_HOLD: 'attention',
  ACTION_REQUIRED: 'attention',
  WAIT: 'attention',
  WAITING: 'attention',
  REVIEW: 'attention',
  UNCONFIRMED: 'attention',
  medium: 'attention',
  ON: 'attention',
  RELEASING: 'attention',
  PAUSED: 'attention',
  DECLINED: 'bad',
  FAILED: 'bad',
  CANCELLED: 'bad',
  STOP: 'bad',
  BLOCK: 'bad',
  GAVE_UP: 'bad',
  DISABLED: 'bad',
  REFUSED: 'bad',
  EXPIRED: 'bad',
  high: 'bad',
};

export function toneOf(code: string): Tone {
  return TONES[code] ?? 'plain';
}

export function options(codes: readonly string[]): { value: string; label: string }[] {
  return codes.map((value) => ({ value, label: words(value) }));
}
