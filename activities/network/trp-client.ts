import { isUtf8 } from 'node:buffer';
import { rootCertificates } from 'node:tls';
import type { TrpResolution } from '../../domain/trp/messages.ts';
import { trpHeaders } from '../../domain/trp/protocol.ts';
import { readResolution } from '../../domain/trp/read-resolution.ts';
import type { WebhookUrlRules } from '../../domain/webhooks/endpoint-url.ts';
import { createHttpClient, type HttpClient, type HttpResponse } from '../../outside/http.ts';
import { HttpFault } from '../../outside/http-fault.ts';
import type { Settings } from '../../process/settings.ts';

/** Why another VASP does not have a message, in fixed words. */
export type TrpFault = 'NOT_REACHED' | 'REFUSED' | 'FAULTY_ANSWER';

type TrpSent<Answer> =
  { ok: true; answer: Answer } | { ok: false; fault: TrpFault; statusCode: number | null };

/** Sends messages of the Travel Rule Protocol to addresses that other VASPs name. */
export interface TrpClient {
  inquire(url: URL, requestIdentifier: string, body: unknown): Promise<TrpSent<TrpResolution>>;
  /** Sends a resolution or a confirmation. */
  notify(url: URL, requestIdentifier: string, body: unknown): Promise<TrpSent<null>>;
  close(): Promise<void>;
}

const LIMITS = { deadlineMs: 10_000, maxBodyBytes: 262_144 };
const CONNECT_TIMEOUT_MS = 5_000;

type ClientSettings = Pick<
  Settings,
  'ENVIRONMENT' | 'WEBHOOK_ALLOWED_HOSTS' | 'TRP_TLS_CERT' | 'TRP_TLS_KEY' | 'TRP_TLS_CA'
>;

/** Dials what webhooks may dial: public addresses, and hosts that the operator allowed. */
export function createTrpClient(settings: ClientSettings): TrpClient {
  const { TRP_TLS_CERT: cert, TRP_TLS_KEY: key, TRP_TLS_CA: ca } = settings;
  const rules = { environment: settings.ENVIRONMENT, allowedHosts: settings.WEBHOOK_ALLOWED_HOSTS };
  const http = createHttpClient({
    reach: { allowedHosts: settings.WEBHOOK_ALLOWED_HOSTS },
    limits: LIMITS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
    ...(cert !== undefined && key !== undefined && { clientCertificate: { cert, key } }),
  });
  return {
    inquire: async (url, requestIdentifier, body) =>
      resolutionIn(await post(http, { url, requestIdentifier, body }), rules),
    notify: async (url, requestIdentifier, body) => {
      const sent = await post(http, { url, requestIdentifier, body });
      return sent.ok ? { ok: true, answer: null } : sent;
    },
    close: async () => await http.close(),
  };
}

interface TrpPost {
  url: URL;
  requestIdentifier: string;
  body: unknown;
}

async function post(
  http: HttpClient,
  { url, requestIdentifier, body }: TrpPost,
): Promise<TrpSent<HttpResponse<Buffer>>> {
  try {
    const answer = await http.send(url, {
      method: 'POST',
      headers: { ...trpHeaders(requestIdentifier), 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const isTaken = answer.status >= 200 && answer.status < 300;
    return isTaken ? { ok: true, answer } : { ok: false, fault: 'REFUSED', statusCode: answer.status };
  } catch (error) {
    if (!(error instanceof HttpFault)) throw error;
    return { ok: false, fault: 'NOT_REACHED', statusCode: null };
  }
}

function resolutionIn(sent: TrpSent<HttpResponse<Buffer>>, rules: WebhookUrlRules): TrpSent<TrpResolution> {
  if (!sent.ok) return sent;
  const { body, status: statusCode } = sent.answer;
  const answer = isUtf8(body) ? readResolution(body.toString('utf8'), rules) : undefined;
  return answer ? { ok: true, answer } : { ok: false, fault: 'FAULTY_ANSWER', statusCode };
}
