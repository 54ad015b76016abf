import { DomainError, type ErrorCode } from '../errors.ts';

interface FaultText {
  code: Extract<ErrorCode, 'provider_error' | 'provider_unavailable'>;
  /** Whether the fault lies with the provider, not with the request or the key. */
  isTrouble: boolean;
  text: string;
}

/** All provider faults, with texts of our own: a vendor's error texts may contain the request. */
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
    text: 'The answer of the provider does not have the documented form, so it was not used.',
  },
  ANSWER_TOO_LARGE: {
    code: 'provider_error',
    isTrouble: true,
    text: 'The answer of the provider is larger than 1 MB, so it was not used.',
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
    text: 'The provider accepts no more requests at the moment.',
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
    text: 'The provider has failed repeatedly; requests to it are paused for a moment.',
  },
  STILL_ASKED: {
    code: 'provider_unavailable',
    isTrouble: false,
    text: 'The same request was sent to the provider already and is not answered yet.',
  },
} as const satisfies Record<string, FaultText>;

export type ProviderFaultCode = keyof typeof FAULTS;

/** The error thrown when a provider gave no usable answer. */
export class ProviderFault extends Error {
  readonly code: ProviderFaultCode;
  /** The provider's HTTP status, when there was an answer. */
  readonly status: number | null;
  /** The provider answered with success, so the request may have been charged. */
  readonly isPaid: boolean;
  readonly retryAfterMs: number | null;

  constructor(
    code: ProviderFaultCode,
    { status = null, isPaid = false, retryAfterMs = null }: Partial<FaultFacts> = {},
  ) {
    super(code);
    this.name = 'ProviderFault';
    this.code = code;
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

export function isProviderFaultCode(text: string | null): text is ProviderFaultCode {
  return text !== null && Object.hasOwn(FAULTS, text);
}

/** Whether the fault lies with the provider, not with the request or the key. */
export function isTrouble({ code }: ProviderFault): boolean {
  return FAULTS[code].isTrouble;
}

/** The error that the caller of the API receives. */
export function refusalOf(fault: ProviderFault): DomainError {
  const { code, text } = FAULTS[fault.code];
  const seconds = Math.max(1, Math.ceil((fault.retryAfterMs ?? 2_000) / 1_000));
  return new DomainError(code, text, code === 'provider_unavailable' ? { retryAfterSeconds: seconds } : {});
}

/** The error for a tenant without an AML provider. */
export function notActivated(): DomainError {
  return new DomainError(
    'provider_not_activated',
    'No AML provider is activated. Store a key with PUT /tenant/me/service-keys.',
  );
}
