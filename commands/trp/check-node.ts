import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { TrpExtensions, TrpIdentity, TrpVersion } from '../../domain/trp/messages.ts';
import {
  CERTIFICATE_HEADER,
  NO_CERTIFICATE,
  TRANSFER_EXTENSION,
  trpHeaders,
} from '../../domain/trp/protocol.ts';
import { INQUIRY_PATH } from '../../domain/travel-address/travel-url.ts';
import type { HttpClient, HttpResponse } from '../../outside/http.ts';
import type { Settings } from '../../process/settings.ts';
import { fingerprintOf } from './check-certificate.ts';
import { sampleInquiry } from './sample-inquiry.ts';
import { FailedStep, type SelfTestReport } from './self-test-report.ts';

/** The deployment under test, as other VASPs reach it. */
export interface TestedNode {
  http: HttpClient;
  /** Without a slash at the end. */
  url: string;
  settings: Settings;
}

/** Checks what the deployment says of itself and what it refuses; false if it does not answer at all. */
export async function checkNode(report: SelfTestReport, node: TestedNode): Promise<boolean> {
  const answers = await report.step('/version', async () => await checkVersion(node));
  if (!answers) return false;
  await checkSeen(report, node);
  await report.step('/extensions', async () => await checkExtensions(node));
  await report.step('/uptime', async () => await checkUptime(node));
  await checkIdentity(report, node);
  await report.step(
    'An inquiry without the headers of TRP',
    async () => await requireStatus(node, { headers: {}, expected: 400 }),
  );
  await report.step(
    'An inquiry to a travel address of nobody',
    async () => await requireStatus(node, { headers: trpHeaders(randomUUID()), expected: 404 }),
  );
  return true;
}

async function get({ http, url }: TestedNode, path: string): Promise<HttpResponse<Buffer>> {
  return await http.send(new URL(`${url}${path}`));
}

async function checkVersion(node: TestedNode): Promise<string> {
  const { status, body } = await get(node, '/version');
  if (status === 404)
    throw new FailedStep(
      'answered 404',
      'The api there has TRP closed (the settings of its process count, not those of this one), or the proxy does not lead /version, /identity, /extensions, /uptime and /trp to it.',
    );
  const { version, vendor } = read(TrpVersion, { status, body });
  if (vendor !== 'Waybill' || !version.startsWith('3.'))
    throw new FailedStep(
      `${vendor} ${version} answers`,
      'TRP_URL leads to another product: set it to this deployment.',
    );
  return `TRP ${version}`;
}

/** Whether the certificate that requests show arrives at the api, through whatever is in between. */
async function checkSeen(report: SelfTestReport, node: TestedNode): Promise<void> {
  const { TRP_TLS_CERT: cert } = node.settings;
  if (cert === undefined) return;
  await report.step('Certificate seen by the api', async () => {
    const seen = (await get(node, '/version')).headers[CERTIFICATE_HEADER];
    if (seen === fingerprintOf(cert)) return undefined;
    if (seen === undefined)
      throw new FailedStep(
        'it does not say',
        `The proxy removes the header ${CERTIFICATE_HEADER}, or an earlier version runs there.`,
      );
    if (seen !== NO_CERTIFICATE)
      throw new FailedStep(
        `it has seen another one, ${String(seen)}`,
        'The proxy in front shows a certificate of its own: pass that of the caller on.',
      );
    throw new FailedStep('it has seen none', notSeen(node.settings));
  });
}

function notSeen({ TRP_CERT_HEADER }: Settings): string {
  return TRP_CERT_HEADER === undefined
    ? 'Something in between ends TLS (lead the port through, or set TRP_CERT_HEADER), or the authority of the certificate is not trusted (TRP_TLS_CA).'
    : `The proxy must ask for certificates, trust their authority, and pass them on in ${TRP_CERT_HEADER}, percent-encoded; the api needs TRUST_PROXY.`;
}

async function checkExtensions(node: TestedNode): Promise<string> {
  const { supported } = read(TrpExtensions, await get(node, '/extensions'));
  if (!supported.includes(TRANSFER_EXTENSION))
    throw new FailedStep(
      `${TRANSFER_EXTENSION} is missing`,
      'Another version of Waybill runs there: update it.',
    );
  return supported.join(', ');
}

async function checkUptime(node: TestedNode): Promise<string> {
  const { status, body } = await get(node, '/uptime');
  const text = body.toString('utf8');
  if (status === 200 && /^\d+$/.test(text)) return `${text} s`;
  throw new FailedStep(
    `answered ${status}`,
    'Something in between answers in place of the api: check the paths of the proxy.',
  );
}

async function checkIdentity(report: SelfTestReport, node: TestedNode): Promise<void> {
  const { TRP_HOSTS, TRP_TLS_CERT: cert } = node.settings;
  const { host } = new URL(node.url);
  if (TRP_HOSTS.size === 0) {
    report.leftOut('/identity', `TRP_HOSTS is not set; ${host}:<tenant id> would name the VASP to others`);
    return;
  }
  await report.step('/identity', async () => {
    const answer = await get(node, '/identity');
    if (answer.status === 404)
      throw new FailedStep(
        `names nobody for ${host}`,
        `Add ${host}:<tenant id> to TRP_HOSTS, and let the proxy pass the header Host on.`,
      );
    const { name, x509 } = read(TrpIdentity, answer);
    if (cert !== undefined && x509 !== cert)
      throw new FailedStep(
        'it names another certificate',
        'Start api and worker again with the same TRP_TLS_CERT.',
      );
    return name;
  });
}

interface SentInquiry {
  headers: Record<string, string>;
  expected: number;
}

async function requireStatus({ http, url }: TestedNode, { headers, expected }: SentInquiry): Promise<string> {
  const { status } = await http.send(new URL(`${url}${INQUIRY_PATH}self-test-of-nobody?t=i`), {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(sampleInquiry('https://vasp.example/resolution')),
  });
  if (status !== expected)
    throw new FailedStep(
      `answered ${status}, not ${expected}`,
      `Does the proxy lead ${INQUIRY_PATH} to the api, with its query?`,
    );
  return `refused with ${status}`;
}

function read<T>(schema: z.ZodType<T>, { status, body }: Pick<HttpResponse<Buffer>, 'status' | 'body'>): T {
  const parsed = status === 200 ? schema.safeParse(parsedJson(body)) : undefined;
  if (parsed?.success) return parsed.data;
  throw new FailedStep(
    `answered ${status} with something else`,
    'Something in between answers in place of the api: check the paths of the proxy.',
  );
}

/** Undefined for what is no JSON. */
export function parsedJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
