import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { readChains, type ConfiguredChain } from '../chains/chains-file.ts';
import { isInsideHost, isThisMachine } from '../domain/outgoing-hosts.ts';
import { operatorKeyFaults } from './operator-keys.ts';
import { EnvironmentSettings } from './settings-schema.ts';
import { isWeakKey } from './weak-key.ts';

export type Settings = z.infer<typeof EnvironmentSettings> & {
  /** What CHAINS_FILE says; none without one. */
  readonly chains: readonly ConfiguredChain[];
};
type EnvironmentVariables = Record<string, string | undefined>;

/** A setting that cannot be used; the message names it and says what is expected. */
class SettingsError extends Error {}

/** Reads and checks the settings once. An empty variable counts as absent. Throws SettingsError. */
export function readSettings(env: EnvironmentVariables = process.env): Settings {
  const given = Object.fromEntries(
    Object.keys(EnvironmentSettings.shape).map((name) => [name, valueOf(name, env)] as const),
  );
  const parsed = EnvironmentSettings.safeParse(given);
  if (!parsed.success) {
    throw new SettingsError(
      parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'),
    );
  }
  requireBucketWhole(parsed.data);
  const settings = { ...parsed.data, chains: chainsOf(parsed.data.CHAINS_FILE) };
  requireEncryption(settings);
  requireSender(settings);
  requireOperatorKeys(settings);
  requireRandomMasterKey(settings);
  requireTrpWhole(settings);
  return settings;
}

/** A bucket needs all of its settings; a secret without a bucket is only unused. */
function requireBucketWhole(settings: z.infer<typeof EnvironmentSettings>): void {
  const named = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID'] as const;
  const missing = [...named, 'S3_SECRET_ACCESS_KEY' as const].filter((name) => settings[name] === undefined);
  if (missing.length === 0 || named.every((name) => settings[name] === undefined)) return;
  throw new SettingsError(missing.map((name) => `${name}: is required for files in a bucket`).join('\n'));
}

/** Mail servers refuse a sender whose domain nobody has, so the default is for trials. */
function requireSender({ ENVIRONMENT, SMTP_URL, MAIL_FROM }: z.infer<typeof EnvironmentSettings>): void {
  if (ENVIRONMENT !== 'production' || SMTP_URL === undefined || !/@localhost>?$/i.test(MAIL_FROM)) return;
  throw new SettingsError(
    'MAIL_FROM: is required in production with SMTP_URL, an address that may send mails',
  );
}

/** A guessed operator key controls every tenant; a key shared by two people identifies neither. */
function requireOperatorKeys(settings: Settings): void {
  const faults = operatorKeyFaults(settings);
  if (faults.length > 0) throw new SettingsError(faults.join('\n'));
}

/** A guessed master key decrypts everything. A weak one may still be given as the previous key, so that it can be replaced. */
function requireRandomMasterKey({ ENVIRONMENT, MASTER_KEY }: Settings): void {
  if (ENVIRONMENT !== 'production' || MASTER_KEY === undefined || !isWeakKey(MASTER_KEY)) return;
  throw new SettingsError('MASTER_KEY: a random key is required in production (openssl rand -hex 32)');
}

/** A listener needs a certificate, a certificate its key, and a header of the proxy a proxy that is trusted. */
function requireTrpWhole(settings: Settings): void {
  const { TRP_TLS_PORT, TRP_TLS_CERT, TRP_TLS_KEY, TRP_CERT_HEADER, TRUST_PROXY } = settings;
  const faults = [
    ...(TRP_TLS_PORT !== undefined && TRP_TLS_CERT === undefined
      ? ['TRP_TLS_CERT: is required for a listener of its own']
      : []),
    ...((TRP_TLS_CERT === undefined) === (TRP_TLS_KEY === undefined)
      ? []
      : ['TRP_TLS_KEY: certificate and key belong together']),
    ...(TRP_CERT_HEADER !== undefined && !TRUST_PROXY ? ['TRP_CERT_HEADER: needs TRUST_PROXY'] : []),
  ];
  if (faults.length > 0) throw new SettingsError(faults.join('\n'));
}

/** In production everything that carries keys, personal data or prices to decide by goes encrypted. */
const ENCRYPTED = [
  'PUBLIC_URL',
  'WALLET_URL',
  'TRP_URL',
  'PRICES_URL',
  'S3_ENDPOINT',
  'LIVENESS_URL',
  'AMLBOT_URL',
  'CRYSTAL_URL',
  'SCORECHAIN_URL',
] as const;
const ENCRYPTED_OUTSIDE = [
  'LISTS_OFAC_SDN_URL',
  'LISTS_OFAC_CONS_URL',
  'LISTS_UN_SC_URL',
  'LISTS_EU_FSF_URL',
  'LISTS_UK_SL_URL',
  'LISTS_OPENSANCTIONS_URL',
] as const;

/**
 * Refuses open addresses in production. Mirrors of lists and nodes of blockchains inside the network may speak http; beyond
 * it, anybody on the way could take a name off a list, or make up a transfer.
 */
function requireEncryption(settings: Settings): void {
  if (settings.ENVIRONMENT !== 'production') return;
  const isOpen = (url: string) => new URL(url).protocol === 'http:';
  const isOpenOutside = (url: string) => isOpen(url) && !isInsideHost(new URL(url));
  const faults = [
    ...ENCRYPTED.filter((name) => addressesOf(settings[name]).some(isOpen)).map(
      (name) => `${name}: https is required in production`,
    ),
    ...ENCRYPTED_OUTSIDE.filter((name) => addressesOf(settings[name]).some(isOpenOutside)).map(openOutside),
    ...settings.chains
      .filter((chain) => nodesOf(chain).some(isOpenOutside))
      .map(({ name }) => openOutside(`CHAINS_FILE: ${name}`)),
    ...scannerFaults(settings),
    ...mailFaults(settings),
  ];
  if (faults.length > 0) throw new SettingsError(faults.join('\n'));
}

/** clamd has no encrypted protocol, and photos of customers are sent to it. */
function scannerFaults({ CLAMD_URL }: Settings): string[] {
  // As an http address, whose host is read in its normal form.
  if (CLAMD_URL === undefined || isInsideHost(new URL(CLAMD_URL.replace(/^tcp:/, 'http:')))) return [];
  return [
    'CLAMD_URL: a host inside your network is required in production, since files go to it unencrypted',
  ];
}

/** Options in the address of the mail server by which mails would go unencrypted, or to whoever answers in its place. */
const WITHOUT_TLS = ['requireTLS', 'ignoreTLS', 'opportunisticTLS', 'tls.rejectUnauthorized'];

function mailFaults({ SMTP_URL }: Settings): string[] {
  if (SMTP_URL === undefined) return [];
  const { searchParams } = new URL(SMTP_URL);
  return WITHOUT_TLS.filter((option) => searchParams.has(option)).map(
    (option) => `SMTP_URL: the option ${option} is not for production, where mails go by TLS alone`,
  );
}

function openOutside(setting: string): string {
  return `${setting}: https is required in production, except for hosts inside your network`;
}

function addressesOf(setting: string | readonly string[] | undefined): readonly string[] {
  return setting === undefined || setting === 'off' ? [] : [setting].flat();
}

function nodesOf({ rpcUrl, esploraUrl, bitcoindUrl, indexerUrl }: ConfiguredChain): readonly string[] {
  return [...rpcUrl, ...esploraUrl, ...bitcoindUrl, ...addressesOf(indexerUrl)];
}

/** Links and the texts that wallets sign name the deployment; an address of this machine would do for trials only. */
export function requirePublicUrl({ ENVIRONMENT, PUBLIC_URL, WALLET_URL }: Settings): void {
  if (ENVIRONMENT !== 'production') return;
  const faults = [
    ...(isForLinks(PUBLIC_URL ?? 'https://localhost')
      ? []
      : ['PUBLIC_URL: is required in production, the https address at which callers reach the api']),
    ...(isForLinks(WALLET_URL ?? 'https://wallet.example')
      ? []
      : ['WALLET_URL: the https address at which owners of wallets reach their page is expected']),
  ].map((fault) => `${fault}, not of this machine, without a user name, a query or a fragment`);
  if (faults.length > 0) throw new SettingsError(faults.join('\n'));
}

/** Whether a path and a token can be put behind this address, and others get there. */
function isForLinks(address: string): boolean {
  const url = new URL(address);
  const hasMore = url.username !== '' || url.password !== '' || /[?#]/.test(address);
  return !hasMore && !isThisMachine(url);
}

function chainsOf(file: string | undefined): ConfiguredChain[] {
  if (file === undefined) return [];
  const { chains, faults } = readChains(textOf('CHAINS_FILE', file));
  if (faults.length === 0) return chains;
  throw new SettingsError(
    faults.map(({ pointer, message }) => `CHAINS_FILE: ${pointer || 'the file'}: ${message}`).join('\n'),
  );
}

function valueOf(name: string, env: EnvironmentVariables): string | undefined {
  const file = env[`${name}_FILE`];
  if (!file) return env[name] || undefined;
  if (env[name]) throw new SettingsError(`${name}: set either ${name} or ${name}_FILE, not both`);
  return textOf(`${name}_FILE`, file) || undefined;
}

function textOf(setting: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new SettingsError(`${setting}: the file ${file} cannot be read`);
  }
}

/** What a process of its own (api, worker, migrate) cannot do without. Throws SettingsError naming what is missing. */
export function requireSettings<K extends keyof Settings>(
  settings: Settings,
  names: readonly K[],
): Settings & { [P in K]: NonNullable<Settings[P]> } {
  const missing = names.filter((name) => settings[name] === undefined);
  if (missing.length > 0) {
    throw new SettingsError(missing.map((name) => `${name}: is required`).join('\n'));
  }
  return settings as Settings & { [P in K]: NonNullable<Settings[P]> };
}

/** Runs a process entry: a wrong setting prints one clear line per fault and exits 1 before anything starts. */
export async function withSettings<T>(use: (settings: Settings) => Promise<T>): Promise<T> {
  try {
    return await use(readSettings());
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

/** Where the page of wallet verifications is: under the api's own address unless it has one of its own. No slash at the end. */
export function walletUrlOf(settings: Pick<Settings, 'WALLET_URL' | 'PUBLIC_URL' | 'HOST' | 'PORT'>): string {
  return (settings.WALLET_URL ?? `${apiUrlOf(settings)}/wallet`).replace(/\/+$/, '');
}

/** Where callers reach the api. No slash at the end. */
export function apiUrlOf({ PUBLIC_URL, HOST, PORT }: Pick<Settings, 'PUBLIC_URL' | 'HOST' | 'PORT'>): string {
  return (PUBLIC_URL ?? `http://${HOST}:${PORT}`).replace(/\/+$/, '');
}

/** Where the links of the e-mail portal lead; their tokens are added as fragments. */
export function portalUrlOf(settings: Pick<Settings, 'PUBLIC_URL' | 'HOST' | 'PORT'>): string {
  return `${apiUrlOf(settings)}/portal`;
}

/** Whether mails reach somebody: in a sandbox without a mail server the mailbox page shows them. */
export function sendsMails({ ENVIRONMENT, SMTP_URL }: Pick<Settings, 'ENVIRONMENT' | 'SMTP_URL'>): boolean {
  return ENVIRONMENT === 'sandbox' || SMTP_URL !== undefined;
}

type TrpSettings = Pick<Settings, 'TRP_URL' | 'PUBLIC_URL' | 'HOST' | 'PORT'>;

/** Where other VASPs reach the endpoints of TRP. No slash at the end. */
export function trpUrlOf(settings: TrpSettings): string {
  return (settings.TRP_URL ?? apiUrlOf(settings)).replace(/\/+$/, '');
}

/** Whether other VASPs can call by TRP: in production only where their certificates can be seen. */
export function isTrpOpen({
  ENVIRONMENT,
  TRP_TLS_PORT,
  TRP_CERT_HEADER,
}: Pick<Settings, 'ENVIRONMENT' | 'TRP_TLS_PORT' | 'TRP_CERT_HEADER'>): boolean {
  return ENVIRONMENT === 'sandbox' || TRP_TLS_PORT !== undefined || TRP_CERT_HEADER !== undefined;
}
