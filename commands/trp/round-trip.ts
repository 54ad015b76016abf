import { randomBytes, randomUUID } from 'node:crypto';
import { readIvms101 } from '../../domain/ivms101/read-ivms101.ts';
import { encodeTravelAddress } from '../../domain/travel-address/travel-address.ts';
import { INQUIRY_PATH } from '../../domain/travel-address/travel-url.ts';
import { TrpConfirmation, TrpInquiry, TrpResolution } from '../../domain/trp/messages.ts';
import { trpHeaders } from '../../domain/trp/protocol.ts';
import { fingerprintOf } from './check-certificate.ts';
import type { TestedNode } from './check-node.ts';
import type { Peer, PeerMessage } from './peer.ts';
import { FailedStep, type SelfTestReport } from './self-test-report.ts';
import { sampleInquiry } from './sample-inquiry.ts';
import type { TestTenant } from './test-tenant.ts';

export interface RoundTrip {
  report: SelfTestReport;
  node: TestedNode;
  peer: Peer;
  tenant: TestTenant;
  /** How long each answer may take. */
  limitMs: number;
}

/** An inquiry to the deployment: taken, confirmed by the tenant, answered to us, and its transaction told. */
export async function playSender(trip: RoundTrip): Promise<void> {
  const { report, node, peer, tenant, limitMs } = trip;
  const requestIdentifier = randomUUID();
  let place: { address: string; token: string } | undefined;
  let recordId: string | undefined;
  let callback: string | undefined;
  const steps: [string, () => Promise<string | undefined>][] = [
    ['Receiving: the travel address of a wallet', async () => (place = await ownWallet(trip)).address],
    [
      'Receiving: an inquiry, twice, is one message',
      async () => {
        const url = `${node.url}${INQUIRY_PATH}${place?.token}?t=i`;
        const message = { url, requestIdentifier, body: sampleInquiry(`${peer.url}/resolution`) };
        for (let time = 1; time <= 2; time += 1) await post(node, message, 200);
        const [record, ...others] = await tenant.received(place?.address ?? '');
        if (!record || others.length > 0)
          throw new FailedStep(
            `${others.length + (record ? 1 : 0)} came`,
            'Report this: a repeat must change nothing.',
          );
        recordId = record.id;
        return `${record.status}, ${record.travelRuleMessageSource}`;
      },
    ],
    [
      'Receiving: the confirmation reaches the sender',
      async () => {
        await tenant.patch(recordId ?? '', { status: 'CONFIRMED' }, limitMs);
        const answer = await peer.next('/resolution', limitMs);
        const { approved } = read(TrpResolution, answer);
        if (
          answer.requestIdentifier !== requestIdentifier ||
          approved?.address.toLowerCase() !== place?.address
        )
          throw new FailedStep('the answer is of another inquiry', 'Report this.');
        callback = requireOwn(node, approved?.callback ?? '');
        return shown(trip, answer);
      },
    ],
    [
      'Receiving: the transaction arrives',
      async () => {
        const txid = newHash();
        await post(node, { url: callback ?? '', requestIdentifier, body: { txid } }, 204);
        await tenant.until(
          recordId ?? '',
          ({ blockchainInfo }) => blockchainInfo.transactionHash === txid,
          limitMs,
        );
        return undefined;
      },
    ],
  ];
  await inOrder(report, steps);
}

/** A message of the deployment to us: the inquiry comes, our approval confirms it, and the transaction is told to us. */
export async function playReceiver(trip: RoundTrip): Promise<void> {
  const { report, node, peer, tenant, limitMs } = trip;
  let recordId = '';
  let inquiry: { requestIdentifier: string; callback: string } | undefined;
  const answer = async (body: object, expected: number) => {
    const { requestIdentifier = '', callback: url = '' } = inquiry ?? {};
    await post(node, { url, requestIdentifier, body }, expected);
  };
  const steps: [string, () => Promise<string | undefined>][] = [
    [
      'Sending: an inquiry comes to the travel address of the self-test',
      async () => {
        recordId = (await tenant.create(travelAddressOf(trip))).id;
        const message = await peer.next('/inquiry', limitMs);
        const { callback, IVMS101 } = read(TrpInquiry, message);
        if (!readIvms101(IVMS101, new Date().toISOString().slice(0, 10)).ok)
          throw new FailedStep('its IVMS101 payload is broken', 'Report this.');
        inquiry = { requestIdentifier: message.requestIdentifier, callback: requireOwn(node, callback) };
        return shown(trip, message);
      },
    ],
    [
      'Sending: an approval confirms the message, and counts once',
      async () => {
        const { blockchainInfo } = await tenant.until(
          recordId,
          ({ status }) => status === 'DELIVERED',
          limitMs,
        );
        const approved = { address: blockchainInfo.destination, callback: `${peer.url}/confirmation` };
        await answer({ approved }, 204);
        await answer({ approved }, 204);
        await answer({ rejected: 'Another answer.' }, 409);
        const { status } = await tenant.until(recordId, (record) => record.status === 'CONFIRMED', limitMs);
        return status;
      },
    ],
    [
      'Sending: the transaction is told',
      async () => {
        const transactionHash = newHash();
        await tenant.patch(recordId, { transactionHash }, limitMs);
        const message = await peer.next('/confirmation', limitMs);
        const { txid } = read(TrpConfirmation, message);
        if (txid !== transactionHash) throw new FailedStep(`another one is told, ${txid}`, 'Report this.');
        return shown(trip, message);
      },
    ],
  ];
  await inOrder(report, steps);
}

/** Each step needs what the one before has found. */
async function inOrder(
  report: SelfTestReport,
  steps: [string, () => Promise<string | undefined>][],
): Promise<void> {
  for (const [name, work] of steps) if (!(await report.step(name, work))) return;
}

async function ownWallet({ node, tenant }: RoundTrip): Promise<{ address: string; token: string }> {
  const wallet = await tenant.wallet();
  const { host } = new URL(node.url);
  if (wallet.travelUrl.host !== host)
    throw new FailedStep(
      `it leads to ${wallet.travelUrl.host}, not to ${host}`,
      'The api has another TRP_URL (or PUBLIC_URL): customers would give away that address. Set the same for api, worker and this command.',
    );
  return wallet;
}

function travelAddressOf({ peer, node: { settings } }: RoundTrip): string {
  const rules = { environment: settings.ENVIRONMENT, allowedHosts: settings.WEBHOOK_ALLOWED_HOSTS };
  const encoded = encodeTravelAddress(new URL(`${peer.url}/inquiry`), rules);
  if (encoded.ok) return encoded.travelAddress;
  throw new FailedStep(
    `${peer.url}: ${encoded.message}`,
    'Give --peer a public https address, or add its host to WEBHOOK_ALLOWED_HOSTS of api, worker and this command.',
  );
}

/** A callback that leads elsewhere would be lost: the worker has another TRP_URL than the api. */
function requireOwn({ url }: TestedNode, callback: string): string {
  if (callback.startsWith(`${url}/`)) return callback;
  throw new FailedStep(
    `its callback leads to ${URL.canParse(callback) ? new URL(callback).host : 'no address'}`,
    'The worker has another TRP_URL (or PUBLIC_URL) than the api: set the same for both.',
  );
}

/** Whether the worker has shown the certificate of the deployment. */
function shown({ peer, node: { settings } }: RoundTrip, { certificate }: PeerMessage): string {
  const { TRP_TLS_CERT: cert } = settings;
  if (!peer.speaksTls || cert === undefined)
    return 'sent without a certificate, as --peer speaks http or none is set';
  if (certificate === fingerprintOf(cert)) return 'sent with the certificate of the deployment';
  throw new FailedStep(
    certificate === null ? 'it came without a certificate' : 'it came with another certificate',
    'The worker needs TRP_TLS_CERT and TRP_TLS_KEY as the api has them; start it again.',
  );
}

interface PostedMessage {
  url: string;
  requestIdentifier: string;
  body: unknown;
}

async function post({ http }: TestedNode, message: PostedMessage, expected: number): Promise<void> {
  const { status, body } = await http.send(new URL(message.url), {
    method: 'POST',
    headers: { ...trpHeaders(message.requestIdentifier), 'Content-Type': 'application/json' },
    body: JSON.stringify(message.body),
  });
  if (status === expected) return;
  const isRefused = body.includes('address_not_allowed');
  throw new FailedStep(
    `answered ${status}, not ${expected}`,
    isRefused
      ? 'Add the host of --peer to WEBHOOK_ALLOWED_HOSTS of api and worker, or use a public address.'
      : `Does the proxy lead ${new URL(message.url).pathname.split('/').slice(0, 3).join('/')} to the api? Its log has the request.`,
  );
}

function read<T>(
  schema: { safeParse: (value: unknown) => { success: boolean; data?: T } },
  { body }: PeerMessage,
): T {
  const parsed = schema.safeParse(body);
  if (parsed.success && parsed.data !== undefined) return parsed.data;
  throw new FailedStep('what came is no message of TRP', 'Report this.');
}

function newHash(): string {
  return `0x${randomBytes(32).toString('hex')}`;
}
