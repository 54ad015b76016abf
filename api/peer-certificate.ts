import { X509Certificate } from 'node:crypto';
import { TLSSocket } from 'node:tls';
import type { Request } from 'express';
import type { Settings } from '../process/settings.ts';

/** The verified certificate of a caller. */
export interface PeerCertificate {
  /** SHA-256 of the certificate, by which its holder is known again. */
  fingerprint: string;
  /** Whether the certificate is one of this host. */
  isOf: (host: string) => boolean;
}

const MAX_HEADER = 16_384;

/**
 * The certificate that the caller has proven to hold: on our own listener by its connection, else by the header of the proxy in
 * front, which has verified it. Undefined without one, and for one that cannot be read.
 */
export function peerCertificate(
  { socket, headers }: Pick<Request, 'socket' | 'headers'>,
  { TRP_CERT_HEADER, TRUST_PROXY }: Pick<Settings, 'TRP_CERT_HEADER' | 'TRUST_PROXY'>,
): PeerCertificate | undefined {
  // Callers connect directly to our own listener, so they could forge the proxy's header there.
  if (socket instanceof TLSSocket)
    return socket.authorized ? read(socket.getPeerX509Certificate()) : undefined;
  if (TRP_CERT_HEADER === undefined || !TRUST_PROXY) return undefined;
  const given = headers[TRP_CERT_HEADER.toLowerCase()];
  return typeof given === 'string' && given.length <= MAX_HEADER ? read(parsed(given)) : undefined;
}

function parsed(escaped: string): X509Certificate | undefined {
  try {
    return new X509Certificate(decodeURIComponent(escaped));
  } catch {
    return undefined;
  }
}

function read(certificate: X509Certificate | undefined): PeerCertificate | undefined {
  if (!certificate) return undefined;
  return {
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    // The subject is free text: only the names that the authority has checked count.
    isOf: (host) => certificate.checkHost(host, { subject: 'never' }) !== undefined,
  };
}
