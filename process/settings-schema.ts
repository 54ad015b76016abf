import { z } from 'zod';
import { list, port, setting, webUrl } from './setting.ts';
import { trpSettings } from './trp-settings.ts';
import { OPERATOR_KEY_LENGTH, readOperatorKeys } from './operator-keys.ts';

const flag = z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1');
const listUrls = list.transform((urls, context) => {
  if (urls.length === 1 && urls[0]?.toLowerCase() === 'off') return 'off' as const;
  const isUsable = (url: string) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  if (urls.length > 0 && urls.length <= 4 && urls.every(isUsable)) return urls;
  context.addIssue('an http(s) address is expected, several separated by commas, or off');
  return z.NEVER;
});
const operatorKeys = z.string().transform((text, context) => {
  const read = readOperatorKeys(text);
  if (typeof read !== 'string') return read;
  context.addIssue(read);
  return z.NEVER;
});
const perMinute = z.coerce.number().int().min(0);
const databaseUrl = z.url({ protocol: /^postgres(ql)?$/ });
const masterKey = (fault: string) => z.string().regex(/^[0-9a-f]{64}$/i, fault);

const REQUESTS = 'requests per minute; 0: no limit';
const FETCHED = '`off`; in production the public address of the publisher';

/** Settings by group, as the operators' page shows them; NAME_FILE reads the value of NAME from a file instead. */
export const SETTING_GROUPS = {
  'Addresses of the api': {
    HOST: setting(z.string().min(1).default('127.0.0.1'), {
      unit: 'address',
      description: 'where the api listens; `0.0.0.0` is every network of the machine',
    }),
    PORT: setting(port.default(3000), { unit: 'port', description: 'port of the api; 0 takes a free one' }),
    METRICS_PORT: setting(port.optional(), {
      unit: 'port',
      description: 'metrics on a port of their own, for the api and for the worker',
      otherwise: 'the api on its own port, the worker none',
    }),
    PUBLIC_URL: setting(webUrl.optional(), {
      unit: 'http(s) address',
      description: 'address at which callers reach the api; required in production',
      otherwise: '`http://HOST:PORT` in a sandbox',
    }),
    WALLET_URL: setting(webUrl.optional(), {
      unit: 'http(s) address',
      description: "address of the hosted verification page; must lead to the api's `/wallet`",
      otherwise: '`PUBLIC_URL` and `/wallet`',
    }),
    TRUST_PROXY: setting(flag.default(false), {
      description: "takes the caller's address from the one proxy in front",
    }),
    CORS_ORIGINS: setting(list.default([]), {
      unit: 'origins, by comma',
      description: 'origins of browsers that may call',
    }),
  },
  'State and keys': {
    ENVIRONMENT: setting(z.enum(['sandbox', 'production']).default('sandbox'), {
      description: 'fixed once a database was opened with it',
    }),
    DATABASE_URL: setting(databaseUrl.optional(), {
      unit: 'postgres:// address',
      description: 'PostgreSQL; required, but `npm start` starts its own without it',
    }),
    DATABASE_OWNER_URL: setting(databaseUrl.optional(), {
      unit: 'postgres:// address',
      description:
        'the same database as the role that owns the tables; used by `migrate`, `rotate-keys` and `verify-events` alone',
      otherwise: '`DATABASE_URL`',
    }),
    DATABASE_POOL: setting(z.coerce.number().int().min(2).max(200).default(16), {
      unit: 'connections',
      description: 'connections to PostgreSQL of each process',
    }),
    TEMPORAL_ADDRESS: setting(
      z
        .string()
        .regex(/^[^\s/]+:\d+$/, 'host:port is expected')
        .optional(),
      { unit: 'host:port', description: 'Temporal; required, but `npm start` starts its own without it' },
    ),
    TEMPORAL_NAMESPACE: setting(z.string().min(1).default('waybill'), {
      unit: 'name',
      description: 'namespace in Temporal; created by the worker',
    }),
    TEMPORAL_UI_URL: setting(z.url().optional(), {
      unit: 'address',
      description: 'the Temporal UI, for links',
    }),
    MASTER_KEY: setting(masterKey('64 hex characters are expected (openssl rand -hex 32)').optional(), {
      unit: '64 hex characters',
      description: 'opens everything stored encrypted; required, but `npm start` makes its own',
    }),
    MASTER_KEY_PREVIOUS: setting(masterKey('64 hex characters are expected').optional(), {
      unit: '64 hex characters',
      description: 'the previous master key, during a rotation',
    }),
    OPERATOR_KEY: setting(z.string().min(OPERATOR_KEY_LENGTH).optional(), {
      unit: 'text',
      description: 'key for `/operator/*`; without it and the next one nobody can call these endpoints',
    }),
    OPERATOR_KEYS: setting(operatorKeys.default([]), {
      unit: 'name:key, by comma',
      description: 'keys for `/operator/*` that name who acts, of at least 16 characters each',
    }),
  },
  Files: {
    STORAGE_DIR: setting(z.string().min(1).optional(), {
      unit: 'folder',
      description:
        'files of verifications, sealed; api and worker need the same one. Back it up with the database',
      otherwise: '`storage` in `WAYBILL_HOME`',
    }),
    S3_ENDPOINT: setting(webUrl.optional(), {
      unit: 'http(s) address',
      description: 'a bucket in place of `STORAGE_DIR`, with the four settings below',
    }),
    S3_BUCKET: setting(
      z
        .string()
        .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket is expected')
        .optional(),
      { unit: 'name', description: 'its name' },
    ),
    S3_REGION: setting(z.string().min(1).default('us-east-1'), { unit: 'name', description: 'its region' }),
    S3_ACCESS_KEY_ID: setting(z.string().min(1).optional(), { unit: 'text', description: 'its access key' }),
    S3_SECRET_ACCESS_KEY: setting(z.string().min(1).optional(), {
      unit: 'text',
      description: 'the secret of the access key',
    }),
    SMTP_URL: setting(z.url({ protocol: /^smtps?$/ }).optional(), {
      unit: 'smtp(s)://user:password@host:port',
      description: 'the mail server; in production with TLS, also of `smtp:`',
      otherwise:
        'in a sandbox mails are kept and shown at `/mailbox`; in production invitations and resets are 409',
    }),
    MAIL_FROM: setting(
      z
        .string()
        .regex(/^[^@\r\n]*@[^@\s]+$/)
        .default('Waybill <waybill@localhost>'),
      {
        unit: 'e-mail address',
        description: 'the sender of mails; required in production with `SMTP_URL`',
      },
    ),
    CLAMD_URL: setting(
      z
        .string()
        .regex(/^tcp:\/\/[^/\s]+:\d+$/, 'tcp://host:port is expected')
        .optional(),
      {
        unit: 'tcp://host:port',
        description:
          'a clamd that scans every file: an infected file is 400, no answer is 503; in production inside your network',
        otherwise: 'files are not scanned',
      },
    ),
  },
  'Services that are called': {
    WEBHOOK_ALLOWED_HOSTS: setting(list.default([]), {
      unit: 'hosts or addresses, by comma',
      description: 'may be called although they are not public',
    }),
    CHAINS_FILE: setting(z.string().min(1).optional(), {
      unit: 'file',
      description: 'JSON array of blockchains with their nodes, see below',
    }),
    PRICES_URL: setting(webUrl.optional(), {
      unit: 'http(s) address',
      description: "a source that answers like CoinGecko's `/simple/price`",
      otherwise: 'a sandbox uses round figures, production has no prices',
    }),
    LIVENESS_URL: setting(webUrl.optional(), {
      unit: 'http(s) address',
      description: 'a program that judges selfies, see below',
      otherwise: 'people decide',
    }),
    LISTS_OFAC_SDN_URL: setting(listUrls.optional(), {
      unit: 'http(s) address or off',
      description: "OFAC's SDN list, fetched every hour; in CSV up to four addresses by comma",
      otherwise: FETCHED,
    }),
    LISTS_OFAC_CONS_URL: setting(listUrls.optional(), {
      unit: 'http(s) address or off',
      description: "OFAC's consolidated list, in the same way",
      otherwise: FETCHED,
    }),
    LISTS_UN_SC_URL: setting(listUrls.optional(), {
      unit: 'http(s) address or off',
      description: "the list of the UN's Security Council (XML)",
      otherwise: FETCHED,
    }),
    LISTS_EU_FSF_URL: setting(listUrls.optional(), {
      unit: 'http(s) address or off',
      description: "the EU's list (XML); its address holds a token of yours",
      otherwise: '`off`',
    }),
    LISTS_UK_SL_URL: setting(listUrls.optional(), {
      unit: 'http(s) address or off',
      description: 'the list of the United Kingdom (CSV)',
      otherwise: FETCHED,
    }),
    LISTS_OPENSANCTIONS_URL: setting(listUrls.optional(), {
      unit: 'http(s) address or off',
      description: "OpenSanctions' list; needs their licence",
      otherwise: '`off`',
    }),
    AMLBOT_URL: setting(webUrl.default('https://extrnlapiendpoint.silencatech.com'), {
      unit: 'http(s) address',
      description: 'AMLBot, for tenants that have stored a key; https and public in production',
    }),
    CRYSTAL_URL: setting(webUrl.default('https://apiexpert.crystalblockchain.com'), {
      unit: 'http(s) address',
      description: 'Crystal, likewise',
    }),
    SCORECHAIN_URL: setting(webUrl.default('https://api.scorechain.com'), {
      unit: 'http(s) address',
      description: 'Scorechain, likewise',
    }),
  },
  'Travel Rule Protocol': trpSettings,
  'Limits and log': {
    RATE_LIMIT_READS: setting(perMinute.default(12_000), {
      unit: REQUESTS,
      description: 'requests that read, for each API key in each process',
    }),
    RATE_LIMIT_WRITES: setting(perMinute.default(6_000), {
      unit: REQUESTS,
      description: 'requests that write, likewise',
    }),
    RATE_LIMIT_SCREENING: setting(perMinute.default(1_200), {
      unit: REQUESTS,
      description: 'screenings, AML and wallet checks, archives of evidence, likewise',
    }),
    RATE_LIMIT_HOSTED: setting(perMinute.default(120), {
      unit: REQUESTS,
      description: 'the hosted verification page, for each address in each process',
    }),
    RATE_LIMIT_ANONYMOUS: setting(perMinute.default(1_200), {
      unit: REQUESTS,
      description:
        'health, metrics, and requests whose key is missing or refused, of each address; see below',
    }),
    LOG_LEVEL: setting(
      z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
      { description: 'JSON lines on standard output, without personal data' },
    ),
    WAYBILL_HOME: setting(z.string().min(1).default('.waybill'), {
      unit: 'folder',
      description: 'folder of the state of `npm start`, and of files without `STORAGE_DIR`',
    }),
  },
};

/** Every setting, by the name of its environment variable. */
export const EnvironmentSettings = z.object({
  ...SETTING_GROUPS['Addresses of the api'],
  ...SETTING_GROUPS['State and keys'],
  ...SETTING_GROUPS['Files'],
  ...SETTING_GROUPS['Services that are called'],
  ...SETTING_GROUPS['Travel Rule Protocol'],
  ...SETTING_GROUPS['Limits and log'],
});
