import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isTrpOpen, type Settings } from '../../process/settings.ts';
import { FailedStep, type SelfTestReport } from './self-test-report.ts';

const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2';
const DAY_MS = 86_400_000;
const WARN_DAYS = 14;

/** Checks the settings and the certificate that requests to other VASPs show, before anything is called. */
export async function checkCertificate(
  report: SelfTestReport,
  settings: Settings,
  trpUrl: URL,
): Promise<void> {
  const { ENVIRONMENT, TRP_TLS_CERT: cert, TRP_TLS_KEY: key } = settings;
  await report.step('Settings', () => Promise.resolve(checkSettings(settings, trpUrl)));
  if (cert !== undefined && key !== undefined)
    await report.step('Certificate', () => Promise.resolve(checkPair(cert, key, trpUrl.hostname)));
  else if (ENVIRONMENT === 'sandbox')
    report.leftOut('Certificate', 'TRP_TLS_CERT is not set; nobody knows who sends, which a sandbox allows');
  else await report.step('Certificate', async () => await Promise.reject(withoutCertificate()));
}

function checkSettings(settings: Settings, { protocol, href }: URL): string {
  if (!isTrpOpen(settings))
    throw new FailedStep(
      'TRP is closed: in production callers must be able to show certificates',
      'Set TRP_TLS_PORT with TRP_TLS_CERT and TRP_TLS_KEY, or TRP_CERT_HEADER with TRUST_PROXY.',
    );
  if (settings.ENVIRONMENT === 'production' && protocol !== 'https:')
    throw new FailedStep(
      `${href} is not https`,
      'Other VASPs call by https alone: set TRP_URL to an https address.',
    );
  return `${settings.ENVIRONMENT}, TRP at ${href}`;
}

function withoutCertificate(): FailedStep {
  return new FailedStep(
    'requests are sent without one, so that other VASPs do not know who sends',
    'Set TRP_TLS_CERT and TRP_TLS_KEY.',
  );
}

function checkPair(cert: string, key: string, host: string): string {
  const certificate = new X509Certificate(cert);
  if (!certificate.checkPrivateKey(createPrivateKey(key)))
    throw new FailedStep(
      'TRP_TLS_KEY is the key of another certificate',
      'Set both from one request of a certificate.',
    );
  const [from, until] = [new Date(certificate.validFrom), new Date(certificate.validTo)];
  if (Date.now() < from.getTime() || Date.now() > until.getTime())
    throw new FailedStep(
      `it is valid from ${from.toISOString()} until ${until.toISOString()}`,
      'Renew it, and start api and worker again.',
    );
  if (certificate.checkHost(host, { subject: 'never' }) === undefined)
    throw new FailedStep(
      `it is not one of ${host}`,
      'Other VASPs know a sender by the host in its travel addresses: the certificate needs that name (subjectAltName).',
    );
  requireForClients(certificate);
  const daysLeft = Math.floor((until.getTime() - Date.now()) / DAY_MS);
  const hurry = daysLeft < WARN_DAYS ? '; renew it now' : '';
  return `one of ${host}, fits its key, for ${daysLeft} more days${hurry}`;
}

/** Some authorities issue certificates for servers alone: every other VASP would refuse them from a caller. */
function requireForClients({ keyUsage }: X509Certificate): void {
  const uses = keyUsage as readonly string[] | undefined;
  if (uses === undefined || uses.length === 0 || uses.includes(CLIENT_AUTHENTICATION)) return;
  throw new FailedStep(
    'it is for servers alone (its extended key usage lacks client authentication)',
    'Ask the authority for a certificate for servers and clients.',
  );
}

/** As the deployment tells it in `/version`. */
export function fingerprintOf(cert: string): string {
  return new X509Certificate(cert).fingerprint256.replaceAll(':', '').toLowerCase();
}
