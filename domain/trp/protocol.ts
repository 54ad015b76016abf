/** The version of the Travel Rule Protocol that is spoken; every message names it. */
export const TRP_VERSION = '3.2.1';

/** Names of headers. Every message of a transfer has the same request identifier. */
const TRP_HEADERS = {
  version: 'api-version',
  request: 'request-identifier',
  extensions: 'api-extensions',
} as const;

/**
 * The extension that carries what TRP has no place for: the exact amount, the ticker and the chain of an asset without a
 * registered coin type, and the transaction hash of a transfer that was made before its message.
 */
export const TRANSFER_EXTENSION = 'waybill-transfer';

/**
 * The header of `/version` that tells a caller which certificate was seen: the SHA-256 of a verified one, or `none`. A VASP
 * that is not recognised finds out by it whether its own side or the proxy in between loses the certificate.
 */
export const CERTIFICATE_HEADER = 'waybill-certificate';
export const NO_CERTIFICATE = 'none';

type HeaderFault = { header: string; code: string; message: string };

export type TrpHeaders = { ok: true; requestIdentifier: string } | { ok: false; faults: HeaderFault[] };

const REQUEST_IDENTIFIER = /^[!-~]{1,128}$/;

/** Checks the headers of a received message. Any version 3 is understood: the later ones only add members. */
export function readTrpHeaders(header: (name: string) => string | undefined): TrpHeaders {
  const requestIdentifier = header(TRP_HEADERS.request) ?? '';
  const faults: HeaderFault[] = [];
  if (!/^3(\.\d{1,4}){0,2}$/.test(header(TRP_HEADERS.version) ?? ''))
    faults.push({
      header: TRP_HEADERS.version,
      code: 'version_not_supported',
      message: `The header api-version must name a version 3 of TRP, such as ${TRP_VERSION}.`,
    });
  if (!REQUEST_IDENTIFIER.test(requestIdentifier))
    faults.push({
      header: TRP_HEADERS.request,
      code: requestIdentifier === '' ? 'required' : 'invalid_format',
      message: 'The header request-identifier must have 1 to 128 visible ASCII characters.',
    });
  return faults.length > 0 ? { ok: false, faults } : { ok: true, requestIdentifier };
}

/** The headers of a message that is sent, and of the answer to a received one. */
export function trpHeaders(requestIdentifier: string): Record<string, string> {
  return { [TRP_HEADERS.version]: TRP_VERSION, [TRP_HEADERS.request]: requestIdentifier };
}
