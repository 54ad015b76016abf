import { z } from 'zod';
import type { Endpoint } from '../../api/endpoint.ts';
import type { Json } from '../api-client.ts';
import { reportableMonth } from '../factories/reports.ts';
import type { RecordName, Target } from './target.ts';

/** One call of an endpoint. Without `path` the path has the target's ids and values in all its places. */
export interface Attempt {
  path?: string;
  query?: string;
  body?: unknown;
  /** Parts of a form instead of a body: name, content, file name, type. */
  form?: [string, string | Buffer, string?, string?][];
  headers?: Record<string, string>;
  /** With the key of the tenant where a partner's is asked for. */
  isByTenant?: true;
}

/**
 * The Idempotency-Key of a target's POST. An attacker uses the same one, since it may have seen or guessed it; a path is
 * taken without its ids.
 */
export function keyFor(path: string, { idempotencyKey }: Target): string {
  const [, ...parts] = path.split('/').filter((part) => !/[{\d]/.test(part));
  return `${idempotencyKey}-${parts.join('-')}`;
}

/** By the beginning of a path: the record whose id `{id}` is. The longest beginning counts. */
const RECORD_OF: [string, RecordName][] = [
  ['/transactions/', 'transactions'],
  ['/sandbox/transactions/', 'transactions'],
  ['/operator/transactions/', 'transactions'],
  ['/operator/wallet-verification/', 'walletVerification'],
  ['/partners/me/transactions/', 'transactions'],
  ['/partners/me/claims/', 'claims'],
  ['/claims/', 'claims'],
  ['/sandbox/claims/', 'claims'],
  ['/wallets/imports/', 'imports'],
  ['/wallets/', 'wallets'],
  ['/wallet-verification/', 'walletVerification'],
  ['/sandbox/wallet-verification/', 'walletVerification'],
  ['/sanctions/history/', 'screenings'],
  ['/sanctions/suppressions/', 'suppressions'],
  ['/rule-engine/', 'ruleEngine'],
  ['/kyw/history/', 'walletChecks'],
  ['/tenant/me/archive/', 'archive'],
  ['/tenant/me/api-keys/', 'apiKeys'],
  ['/tenant/me/webhook-deliveries/', 'webhookDeliveries'],
  ['/aml/search/history/', 'amlChecks'],
  ['/users/', 'users'],
  ['/proposals/', 'proposals'],
  ['/tenant/me/brakes/', 'brakes'],
  ['/exports/', 'exports'],
];

function idIn(path: string, target: Target): string {
  if (/^\/(operator\/)?entities\//.test(path)) return target.entityId;
  if (/^\/(operator|sandbox)\/(tenants|partners)\//.test(path)) return target.tenantId;
  const record = RECORD_OF.find(([beginning]) => path.startsWith(beginning));
  if (!record) throw new Error(`nothing says whose id the {id} of ${path} is`);
  return target.ids[record[1]];
}

/** The path of an endpoint with the ids, addresses and hashes of a target. Throws if a parameter is not known. */
export function filledPath(path: string, target: Target): string {
  const values: Record<string, () => string> = {
    id: () => idIn(path, target),
    fileId: () => target.ids.files,
    documentId: () => target.ids.files,
    keyId: () => target.ids.apiKeys,
    brakeId: () => target.ids.brakes,
    backtestId: () => target.ids.backtests,
    attestationId: () => target.ids.transactions,
    entityId: () => target.entityId,
    kind: () => 'SELFIE',
    version: () => '1',
    name: () => 'conservative',
    feature: () => 'aml_check',
    blockchain: () => 'Ethereum',
    address: () => target.selfHosted,
    txHash: () => target.transactionHash,
    token: () => target.ids.files,
    ym: reportableMonth,
    code: () => 'OFAC_SDN',
    source: () => 'BUNDLED',
  };
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (!value) throw new Error(`nothing is known for the {${name}} of ${path}`);
    return value();
  });
}

/** What is looked for in each query parameter that takes any text. */
const QUERIES: Record<string, (target: Target) => string[]> = {
  q: (t) => [t.customer, t.destination, t.transactionHash, t.ids.incoming, t.userEmail],
  name: (t) => [t.name],
  _reference: (t) => [t.reference],
  _transactionHash: (t) => [t.transactionHash],
  _destination: (t) => [t.destination],
  _after: (t) => [t.cursor],
  _listCode: () => ['OFAC_SDN'],
  _resourceId: (t) => [t.ids.transactions],
  // What an attacker has asked for is in its own log, but for changes of transactions by a key: it changes `incoming`.
  _recordId: (t) => [t.ids.incoming],
  _operation: () => ['listApiKeys'],
  _userId: (t) => [t.ids.users],
  _apiKeyId: (t) => [t.ids.apiKeys],
  _counterpartyEntityId: (t) => [t.entityId],
  _asset: () => ['ETH'],
  _blockchain: () => ['Ethereum'],
  address: (t) => [t.destination],
  reason: () => ['curious'],
  month: () => ['2026-11'],
};

/** The query parameters of an endpoint that take any text or id. */
function textQueries({ query }: Endpoint): string[] {
  const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
  return Object.entries(properties).flatMap(([name, schema]) => {
    const { type, enum: words, format } = schema as Json;
    const isTime = format === 'date' || format === 'date-time';
    return type === 'string' && words === undefined && !isTime ? [name] : [];
  });
}

/** A read with each value that its query parameters may have; without parameters, one call. */
function reads(endpoint: Endpoint, target: Target): Attempt[] {
  const queried = textQueries(endpoint).flatMap((name) => {
    const values = QUERIES[name];
    if (!values) throw new Error(`nothing is looked for in the query parameter ${name} of ${endpoint.path}`);
    return values(target).map((value) => ({ query: `${name}=${encodeURIComponent(value)}` }));
  });
  return queried.length > 0 ? queried : [{}];
}

/** All attempts of a hostile tenant, and of a hostile partner, at one endpoint. Throws if a write or an open endpoint has no case. */
export function attemptsAt(endpoint: Endpoint, writes: Record<string, Attempt[]>, target: Target): Attempt[] {
  const name = `${endpoint.method} ${endpoint.path}`;
  const listed = writes[name];
  if (listed) return listed;
  if (endpoint.auth === 'OPERATOR') return [{}];
  if (endpoint.method === 'GET' && endpoint.auth === 'TENANT') return reads(endpoint, target);
  if (endpoint.method === 'GET' && endpoint.auth === 'PARTNER')
    return [{ isByTenant: true }, ...reads(endpoint, target)];
  throw new Error(`no case for ${name}`);
}
