import { errors } from 'undici';

/** Why a request got no usable response, as a code: texts of drivers and peers may carry personal data or secrets. */
export type HttpFaultCode =
  /** The request cannot be sent as it is. */
  | 'INVALID_REQUEST'
  /** The address is private, and the client may reach public addresses only. */
  | 'ADDRESS_NOT_ALLOWED'
  | 'DNS_FAILED'
  | 'CONNECT_REFUSED'
  | 'CONNECT_TIMEOUT'
  | 'HOST_UNREACHABLE'
  | 'TLS_ERROR'
  /** The deadline passed, or the peer was silent for too long. */
  | 'TIMEOUT'
  | 'CONNECTION_CLOSED'
  /** The peer does not speak HTTP, or packs its body wrongly. */
  | 'INVALID_RESPONSE'
  /** The body is longer than the request allows. */
  | 'TOO_LARGE'
  /** The body is packed in a way that was not asked for. */
  | 'UNKNOWN_ENCODING'
  /** The caller's signal was aborted. */
  | 'ABORTED'
  /** The client was closed. */
  | 'SHUTTING_DOWN'
  | 'REQUEST_FAILED';

/**
 * A request without a usable response. The message is the code and nothing else; `cause` is the error of the driver, or of
 * the stream that was to be sent, for logs that leave messages out.
 */
export class HttpFault extends Error {
  override name = 'HttpFault';
  readonly code: HttpFaultCode;
  /** The status of the response whose body then failed; null when no response came. */
  readonly status: number | null;

  constructor(code: HttpFaultCode, status: number | null = null, cause?: unknown) {
    super(code, cause === undefined ? {} : { cause });
    this.code = code;
    this.status = status;
  }
}

const CODES: ReadonlyMap<string, HttpFaultCode> = new Map([
  ['ECONNREFUSED', 'CONNECT_REFUSED'],
  ['EHOSTUNREACH', 'HOST_UNREACHABLE'],
  ['ENETUNREACH', 'HOST_UNREACHABLE'],
  ['EADDRNOTAVAIL', 'HOST_UNREACHABLE'],
  ['ENOTFOUND', 'DNS_FAILED'],
  ['EAI_AGAIN', 'DNS_FAILED'],
  ['ETIMEDOUT', 'TIMEOUT'],
  ['UND_ERR_CONNECT_TIMEOUT', 'CONNECT_TIMEOUT'],
  ['UND_ERR_HEADERS_TIMEOUT', 'TIMEOUT'],
  ['UND_ERR_BODY_TIMEOUT', 'TIMEOUT'],
  ['ECONNRESET', 'CONNECTION_CLOSED'],
  ['EPIPE', 'CONNECTION_CLOSED'],
  ['UND_ERR_SOCKET', 'CONNECTION_CLOSED'],
  ['UND_ERR_HEADERS_OVERFLOW', 'INVALID_RESPONSE'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'INVALID_RESPONSE'],
  ['Z_DATA_ERROR', 'INVALID_RESPONSE'],
  ['Z_BUF_ERROR', 'INVALID_RESPONSE'],
  ['UND_ERR_INVALID_ARG', 'INVALID_REQUEST'],
  ['UND_ERR_DESTROYED', 'SHUTTING_DOWN'],
  ['UND_ERR_CLOSED', 'SHUTTING_DOWN'],
]);
const TLS_CODE =
  /^(ERR_TLS_|ERR_SSL_|EPROTO|CERT_|CRL_|ERROR_IN_C|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_|INVALID_|PATH_LENGTH_)/;

/** What an error of a driver means; `status` is that of the response whose body failed. */
export function httpFaultOf(error: unknown, status: number | null = null): HttpFault {
  return error instanceof HttpFault
    ? new HttpFault(error.code, error.status ?? status, error.cause)
    : new HttpFault(codeOf(error), status, error);
}

function codeOf(error: unknown): HttpFaultCode {
  if (error instanceof errors.HTTPParserError) return 'INVALID_RESPONSE';
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  return CODES.get(code) ?? (TLS_CODE.test(code) ? 'TLS_ERROR' : 'REQUEST_FAILED');
}
