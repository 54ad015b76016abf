import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../api/app.ts';
import { createDeps } from '../api/create-deps.ts';
import type { Deps } from '../api/deps.ts';
import { endpointsOf } from '../api/endpoints.ts';
import type { Endpoint } from '../api/endpoint.ts';
import { createMetrics } from '../api/request-metrics.ts';
import { startServer } from '../api/server.ts';
import { startTrpServer } from '../api/trp/start-trp-server.ts';
import { readSettings, type Settings } from '../process/settings.ts';
import { openDatabase } from '../process/open-database.ts';
import type { OutboxEntry } from '../db/outbox.ts';
import type { FiatPrice } from '../domain/transactions/fiat.ts';
import { createLog } from '../process/log.ts';
import { openScreener } from '../sanctions-index/open-screener.ts';
import type { TestDatabase } from './database.ts';

/**
 * How long a request may wait for a connection: on a busy machine a test that sends many at once would be told after the
 * product's 3 s to send some of them again, and rightly.
 */
const CONNECTION_MS = 60_000;
/** The product's two seconds are not enough on a machine that does other work, and a test would be told to come again. */
const SCREENING_LIMIT_MS = 30_000;

export interface TestApiOptions {
  /** All that the environment has, unless given. */
  endpoints?: readonly Endpoint[];
  /** Prices by asset; an asset that is missing has none. */
  prices?: Readonly<Record<string, FiatPrice>>;
  /** Settings that differ; with MASTER_KEY a second api can open the same database. */
  config?: Partial<TestSettings>;
  deps?: Partial<Deps>;
  /** How often the active versions of the sanctions lists are read; as seldom as in the product unless given. */
  pollMs?: number;
  /** How long a request waits for the verdict of lists and providers; long unless given. */
  screeningLimitMs?: number;
  /** On by default: an answer that its endpoint does not declare becomes a 500. */
  checkResponses?: boolean;
}

export interface RequestOptions {
  /** Sent as X-Api-Key. */
  key?: string;
  /** Sent as X-Operator-Key. */
  operatorKey?: string;
  /** A value sent as JSON; a string or bytes are sent as they are. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** An answer; `body` is the parsed JSON, undefined when there was none. */
export interface TestAnswer<T> {
  status: number;
  body: T;
  headers: Headers;
}

export type Json = Record<string, unknown>;

/** The whole API over HTTP on a database of its own; only the workflows are missing: `outbox` are what they would be told. */
export async function startTestApi(database: Pick<TestDatabase, 'url'>, options: TestApiOptions = {}) {
  const config: TestSettings = { ...testSettings(database.url), ...options.config };
  const log: Json[] = [];
  const write = (line: string) => void log.push(JSON.parse(line) as Json);
  const db = await openDatabase({ settings: config, onIdleError: () => undefined });
  db.pool.options.connectionTimeoutMillis = CONNECTION_MS;
  const outbox: OutboxEntry[] = [];
  const logger = createLog('test', 'info', { write });
  const screener = openScreener({
    pool: db.pool,
    databaseUrl: database.url,
    log: logger,
    ...(options.pollMs !== undefined && { pollMs: options.pollMs }),
  });
  const deps: Deps = {
    ...createDeps({
      settings: config,
      log: logger,
      metrics: createMetrics(),
      db,
      screener,
      screeningLimitMs: options.screeningLimitMs ?? SCREENING_LIMIT_MS,
      priceOf: (asset) => options.prices?.[asset],
      notifyWorkflows: (entries) => void outbox.push(...entries),
      startImport: async () => await Promise.reject(new Error('no workflows here')),
      startListUpdate: async () => await Promise.reject(new Error('no workflows here')),
      readQueues: async () => await Promise.resolve(null),
      degraded: async () => await Promise.resolve([]),
    }),
    ...options.deps,
  };
  const { endpoints = endpointsOf(config.ENVIRONMENT), checkResponses = true } = options;
  const server = await startServer({
    app: createApp({ endpoints, deps, checkResponses }),
    host: '127.0.0.1',
    port: 0,
  });
  const trpServer = await startTrpServer(config, deps);
  // Certificates are of names.
  config.TRP_URL ??= trpServer?.url.replace('127.0.0.1', 'localhost') ?? server.url;
  return {
    url: server.url,
    db,
    deps,
    screener,
    config,
    operatorKey: config.OPERATOR_KEY,
    /** What the workflows would have been told, in order. */
    outbox,
    /** Everything that was logged. */
    log,
    request: requester(server.url),
    stop: async () => {
      await Promise.all([server.stop(2_000), trpServer?.stop(2_000)]);
      await deps.audit.close();
      await deps.addressQuestions.close();
      await screener.close();
      await db.close();
      if (config.STORAGE_DIR) await rm(config.STORAGE_DIR, { recursive: true, force: true });
    },
  };
}

export type TestApi = Awaited<ReturnType<typeof startTestApi>>;

type TestSettings = Settings & { DATABASE_URL: string; MASTER_KEY: string; OPERATOR_KEY: string };

function testSettings(url: string): TestSettings {
  const keys = { MASTER_KEY: randomBytes(32).toString('hex'), OPERATOR_KEY: randomBytes(16).toString('hex') };
  // Made when the first file comes.
  const STORAGE_DIR = join(tmpdir(), `waybill-test-${randomBytes(8).toString('hex')}`);
  const config = readSettings({ DATABASE_URL: url, DATABASE_POOL: '8', STORAGE_DIR, ...keys });
  return { ...config, ...keys, DATABASE_URL: url };
}

function requester(url: string) {
  return async <T = Json>(
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<TestAnswer<T>> => {
    const body = bytesOf(options.body);
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(options.key !== undefined && { 'X-Api-Key': options.key }),
        ...(options.operatorKey !== undefined && { 'X-Operator-Key': options.operatorKey }),
        ...options.headers,
      },
      ...(body !== undefined && { body }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json') && text !== '';
    return {
      status: answer.status,
      headers: answer.headers,
      body: (isJson ? JSON.parse(text) : undefined) as T,
    };
  };
}

function bytesOf(body: unknown): string | Buffer | undefined {
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) return body;
  return JSON.stringify(body);
}
