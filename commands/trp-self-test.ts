import { readFile } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import { parseArgs } from 'node:util';
import { createHttpClient, type HttpClient } from '../outside/http.ts';
import { apiUrlOf, trpUrlOf, withSettings, type Settings } from '../process/settings.ts';
import { checkCertificate } from './trp/check-certificate.ts';
import { checkNode, type TestedNode } from './trp/check-node.ts';
import { openPeer, type Peer } from './trp/peer.ts';
import { SelfTestReport } from './trp/self-test-report.ts';
import { playReceiver, playSender } from './trp/round-trip.ts';
import { TestTenant } from './trp/test-tenant.ts';

const USAGE = `Usage: npm run trp-self-test -- [--url URL] [--key-file FILE [--peer URL] [--api URL]]
With the settings of the api. --url is where other VASPs reach TRP (TRP_URL). --key-file has an API key of a tenant for
trials: with it whole exchanges are played in both directions, this command being the other VASP. --peer is where api and
worker reach this command (http://127.0.0.1 in a sandbox); by https it shows the certificate of TRP_TLS_CERT. --api is
the address of the api (PUBLIC_URL).`;

const LIMITS = { deadlineMs: 15_000, maxBodyBytes: 1_048_576 };
/** Longer than the worker waits before it tries again what was not taken at once. */
const ANSWER_LIMIT_MS = 30_000;

interface Arguments {
  url: string | undefined;
  peer: string | undefined;
  api: string | undefined;
  key: string | undefined;
}

/**
 * `npm run trp-self-test`: exit code 0 when every step that could be taken is right, 1 when one is wrong, 2 when the command
 * cannot be used so.
 */
process.exitCode = await main();

async function main(): Promise<number> {
  const given = await readArguments();
  if (!given) {
    console.error(USAGE);
    return 2;
  }
  return await withSettings(async (settings) => await testTrp(settings, given));
}

async function readArguments(): Promise<Arguments | null> {
  const option = { type: 'string' } as const;
  try {
    const { values } = parseArgs({ options: { url: option, peer: option, api: option, 'key-file': option } });
    const { url, peer, api, 'key-file': keyFile } = values;
    if (![url, peer, api].every(isWebAddress)) return null;
    const key = keyFile === undefined ? undefined : (await readFile(keyFile, 'utf8')).trim();
    return { url, peer, api, key };
  } catch {
    return null;
  }
}

function isWebAddress(text: string | undefined): boolean {
  return text === undefined || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol));
}

async function testTrp(settings: Settings, given: Arguments): Promise<number> {
  const report = new SelfTestReport();
  const http = openHttp(settings);
  const node = { http, url: (given.url ?? trpUrlOf(settings)).replace(/\/+$/, ''), settings };
  try {
    await checkCertificate(report, settings, new URL(node.url));
    if (await checkNode(report, node)) await playRoundTrips(report, node, given);
  } finally {
    await http.close();
  }
  console.log(report.faults === 0 ? '\nNothing is wrong.' : `\n${report.faults} wrong.`);
  return report.faults === 0 ? 0 : 1;
}

/** Shows the certificate that requests to other VASPs show, and trusts whom they trust. */
function openHttp({ TRP_TLS_CERT: cert, TRP_TLS_KEY: key, TRP_TLS_CA: ca }: Settings): HttpClient {
  return createHttpClient({
    reach: 'ANYWHERE',
    limits: LIMITS,
    ...(ca !== undefined && { ca: [...rootCertificates, ca] }),
    ...(cert !== undefined && key !== undefined && { clientCertificate: { cert, key } }),
  });
}

async function playRoundTrips(
  report: SelfTestReport,
  node: TestedNode,
  { key, peer: peerUrl, api }: Arguments,
): Promise<void> {
  const { settings, http } = node;
  const url = peerUrl ?? (settings.ENVIRONMENT === 'sandbox' ? 'http://127.0.0.1:0' : undefined);
  if (key === undefined || url === undefined) {
    const missing = key === undefined ? '--key-file' : '--peer';
    report.leftOut('Exchanges in both directions', `they need ${missing}`);
    return;
  }
  let peer: Peer | undefined;
  await report.step(
    'The self-test as the other VASP',
    async () => (peer = await openPeer(new URL(url), settings)).url,
  );
  if (!peer) return;
  const tenant = new TestTenant(http, (api ?? apiUrlOf(settings)).replace(/\/+$/, ''), key);
  const trip = { report, node, peer, tenant, limitMs: ANSWER_LIMIT_MS };
  await playSender(trip);
  await playReceiver(trip);
  await report.step('Leaving nothing behind', async () => await tenant.clean());
  peer.close();
}
