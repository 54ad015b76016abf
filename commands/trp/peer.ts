import type { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { rootCertificates, TLSSocket } from 'node:tls';
import { TRP_VERSION, readTrpHeaders, trpHeaders } from '../../domain/trp/protocol.ts';
import type { Settings } from '../../process/settings.ts';
import { parsedJson } from './check-node.ts';
import { FailedStep } from './self-test-report.ts';

const MAX_BYTES = 1_048_576;

/** What the deployment has posted to the self-test. */
export interface PeerMessage {
  requestIdentifier: string;
  body: unknown;
  /** SHA-256 of the certificate that it has shown; null without one, and where the peer speaks http. */
  certificate: string | null;
}

/** The paths of the other VASP that the self-test plays. */
type PeerPath = '/inquiry' | '/resolution' | '/confirmation';

export interface Peer {
  /** Where the deployment reaches it. Without a slash at the end. */
  url: string;
  speaksTls: boolean;
  /** The next message to a path. Throws FailedStep if none comes in time. */
  next: (path: PeerPath, limitMs: number) => Promise<PeerMessage>;
  close: () => void;
}

type TlsSettings = Pick<Settings, 'TRP_TLS_CERT' | 'TRP_TLS_KEY' | 'TRP_TLS_CA'>;

/**
 * Listens on the port of `url` as the other VASP. By https it shows the certificate of the deployment, whose host it
 * therefore has to be on.
 */
export async function openPeer(url: URL, settings: TlsSettings): Promise<Peer> {
  const speaksTls = url.protocol === 'https:';
  const arrived = new Map<string, PeerMessage[]>();
  const waiting = new Map<string, (message: PeerMessage) => void>();
  const take = (path: string, message: PeerMessage) => {
    const wake = waiting.get(path);
    waiting.delete(path);
    if (wake) wake(message);
    else arrived.set(path, [...(arrived.get(path) ?? []), message]);
  };
  const answer: Parameters<typeof createServer>[1] = (request, response) => {
    readMessage(request).then(
      (message) => {
        const body = JSON.stringify({ version: TRP_VERSION });
        const headers = { ...trpHeaders(message.requestIdentifier), 'Content-Type': 'application/json' };
        response.writeHead(200, headers).end(body);
        take(request.url?.split('?')[0] ?? '', message);
      },
      () => response.writeHead(400).end(),
    );
  };
  const server = speaksTls ? createTlsServer(tlsOptions(settings), answer) : createServer(answer);
  server.listen(Number(url.port || (speaksTls ? 443 : 80)), ...(isLoopback(url) ? ['127.0.0.1'] : []));
  await once(server, 'listening').catch(() => {
    throw new FailedStep(
      `port ${url.port} cannot be listened on`,
      'Give --peer another port, one that is free here.',
    );
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `${url.protocol}//${url.hostname}:${port}`,
    speaksTls,
    async next(path, limitMs) {
      const [first, ...others] = arrived.get(path) ?? [];
      if (!first) return await nextOf(waiting, path, limitMs);
      arrived.set(path, others);
      return first;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === '127.0.0.1' || hostname === 'localhost';
}

function tlsOptions({ TRP_TLS_CERT: cert, TRP_TLS_KEY: key, TRP_TLS_CA: ca }: TlsSettings) {
  const trusted = ca === undefined ? {} : { ca: [...rootCertificates, ca] };
  return { cert, key, ...trusted, requestCert: true, rejectUnauthorized: false };
}

async function nextOf(
  waiting: Map<string, (message: PeerMessage) => void>,
  path: PeerPath,
  limitMs: number,
): Promise<PeerMessage> {
  return await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(silent(path, limitMs)), limitMs);
    waiting.set(path, (message) => {
      clearTimeout(timer);
      resolve(message);
    });
  });
}

function silent(path: PeerPath, limitMs: number): FailedStep {
  return new FailedStep(
    `nothing came to ${path} of the self-test for ${limitMs / 1_000} s`,
    'Does the worker run, may it call --peer (WEBHOOK_ALLOWED_HOSTS, firewall), and does it trust its certificate (TRP_TLS_CA)? Its log says why a VASP did not take a message.',
  );
}

async function readMessage(request: IncomingMessage): Promise<PeerMessage> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error('the message is too large');
    chunks.push(chunk);
  }
  const { socket, headers } = request;
  const shown = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
  return {
    requestIdentifier: identifierIn(headers),
    body: parsedJson(Buffer.concat(chunks)),
    certificate: shown ? fingerprint(shown) : null,
  };
}

function identifierIn(headers: IncomingHttpHeaders): string {
  const read = readTrpHeaders((name) => headers[name]?.toString());
  if (!read.ok) throw new Error('the message has not the headers of TRP');
  return read.requestIdentifier;
}

function fingerprint({ fingerprint256 }: X509Certificate): string {
  return fingerprint256.replaceAll(':', '').toLowerCase();
}
