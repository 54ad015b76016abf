import { DomainError, type ErrorCode } from '../errors.ts';

interface FaultText {
  code: Extract<ErrorCode, 'provider_error' | 'provider_unavailable'>;
  /** Whether it tells that the provider is in trouble, rather than the request or the key. */
  isTrouble: boolean;
  text: string;
}

/** Every way in which asking a provider can fail, in words of our own: a vendor's texts may carry what was sent. */
const FAULTS = {
  KEY_REFUSED: {
    code: 'provider_error',
    isTrouble: false,
    text: 'The provider did not accept the service key. Store a valid one with PUT /tenant/me/service-keys.',
  },
  NO_CREDITS: {
    code: 'provider_error',
    isTrouble: false,
    text: 'The account at the provider has no credits left.',
  },
  REQUEST_REFUSED: {
    code: 'provider_error',
    isTrouble: false,
    text: 'The provider refused the request.',
  },
  BAD_ANSWER: {
    code: 'provider_error',
    isTrouble: true,
    text: 'The answer of the provider is not what it documents; nothing is concluded from it.',
  },
  ANSWER_TOO_LARGE: {
    code: 'provider_error',
    isTrouble: true,
    text: 'The answer of the provider is larger than 1 MB; nothing is concluded from it.',
  },
  REDIRECTED: {
    code: 'provider_error',
    isTrouble: true,
    text: 'The provider redirected the request; redirects are not followed.',
  },
  SERVER_ERROR: { code: 'provider_error', isTrouble: true, text: 'The provider had an internal error.' },
  TLS_ERROR: {
    code: 'provider_error',
    isTrouble: true,
    text: 'The certificate of the provider could not be verified; nothing was sent.',
  },
  RATE_LIMITED: {
    code: 'provider_unavailable',
    isTrouble: true,
    text: 'The provider takes no more requests at the moment.',
  },
  UNREACHABLE: {
    code: 'provider_unavailable',
    isTrouble: true,
    text: 'The provider could not be reached.',
  },
  CONNECTION_LOST: {
    code: 'provider_unavailable',
    isTrouble: true,
    text: 'The connection to the provider broke before it had answered.',
  },
  TIMED_OUT: { code: 'provider_unavailable', isTrouble: true, text: 'The provider did not answer in time.' },
  RESTING: {
    code: 'provider_unavailable',
    isTrouble: false,
    text: 'The provider has failed repeatedly and is left alone for a moment.',
  },
  STILL_ASKED: {
    code: 'provider_unavailable',
    isTrouble: false,
    text: 'The same question is with the provider already and is not answered yet.',
  },
} as const satisfies Record<string, FaultText>;

export type FaultWord = keyof typeof FAULTS;

/** Why a provider gave no usable answer. */
export class ProviderFault extends Error {
  readonly word: FaultWord;
  /** The provider's HTTP status, when there was an answer. */
  readonly status: number | null;
  /** The provider answered with success, so that the question may have been paid for. */
  readonly isPaid: boolean;
  readonly retryAfterMs: number | null;

  constructor(
    word: FaultWord,
    { status = null, isPaid = false, retryAfterMs = null }: Partial<FaultFacts> = {},
  ) {
    super(word);
    this.name = 'ProviderFault';
    this.word = word;
    this.status = status;
    this.isPaid = isPaid;
    this.retryAfterMs = retryAfterMs;
  }
}

interface FaultFacts {
  status: number | null;
  isPaid: boolean;
  retryAfterMs: number | null;
}

export function isFaultWord(text: string | null): text is FaultWord {
  return text !== null && Object.hasOwn(FAULTS, text);
}

export function isTrouble({ word }: ProviderFault): boolean {
  return FAULTS[word].isTrouble;
}

/** The refusal that the caller gets to see. */
export function refusalOf({ word, retryAfterMs }: ProviderFault): DomainError {
  const { code, text } = FAULTS[word];
  const seconds = Math.max(1, Math.ceil((retryAfterMs ?? 2_000) / 1_000));
  return new DomainError(code, text, code === 'provider_unavailable' ? { retryAfterSeconds: seconds } : {});
}

export function notActivated(): DomainError {
  return new DomainError(
    'provider_not_activated',
    'No AML provider is activated. Store a key with PUT /tenant/me/service-keys.',
  );
}
