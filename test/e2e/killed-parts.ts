import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { verifyEvents } from '../../db/events/verify-events.ts';
import { openVault, type Vault } from '../../db/vault/vault.ts';
import { homeSecrets } from '../../standalone/secrets.ts';
import { verifyWebhook } from '../../domain/webhooks/signature.ts';
import { eventually } from '../eventually.ts';
import { evmAddress } from '../factories/transaction.ts';
import type { Installation } from './installation.ts';

/** What `npm start` starts again when it ends. */
export const PARTS = ['worker', 'api', 'temporal', 'postgres'];

export interface KillRound {
  /** Begins the reference of each of its transactions. */
  name: string;
  transactions: number;
  /** What is killed, after how many answers, and with which signal; SIGKILL unless given. */
  kills: { part: string; after: number; signal?: NodeJS.Signals }[];
}

const IN_FLIGHT = 16;
/** A restart, a lost workflow task (10 s) and a retried delivery (5 s, then 30 s) need their seconds. */
const STANDSTILL_MS = 45_000;
const LONGEST_MS = 400_000;
const TOLERANCE_MS = 5 * 60_000;

interface Party {
  id: string;
  apiKey: string;
  webhookSecret: string;
}

/** Two tenants of a running installation, the server of both, and the transactions between them. */
export class Traffic {
  readonly #installation: Installation;
  readonly #pool: pg.Pool;
  readonly #vault: Promise<Vault>;
  readonly #received = new Set<string>();
  readonly #destination = evmAddress();
  readonly #server = createServer();
  #sender = {} as Party;
  #receiver = {} as Party;

  private constructor(installation: Installation) {
    this.#installation = installation;
    this.#pool = new pg.Pool({ connectionString: installation.running().databaseUrl, max: 2 });
    this.#pool.on('error', () => undefined);
    const { masterKey } = homeSecrets(installation.home);
    this.#vault = openVault({ pool: this.#pool, masterKey, environment: 'sandbox' });
  }

  static async open(installation: Installation): Promise<Traffic> {
    const traffic = new Traffic(installation);
    // Before PostgreSQL is killed.
    await traffic.#vault;
    await new Promise<void>((resolve) => traffic.#server.listen(0, '127.0.0.1', resolve));
    traffic.#sender = await traffic.#createTenant('/sender');
    traffic.#receiver = await traffic.#createTenant('/receiver');
    traffic.#server.on('request', (request: IncomingMessage, response) => {
      void traffic.#receive(request).then((status) => response.writeHead(status).end());
    });
    const wallet = { address: traffic.#destination, asset: 'ETH', blockchain: 'Ethereum' };
    await traffic.#call(traffic.#receiver, 'POST', '/wallets', wallet);
    return traffic;
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await this.#pool.end();
  }

  async #createTenant(path: string): Promise<Party> {
    const { port } = this.#server.address() as AddressInfo;
    const { apiUrl, operatorKey } = this.#installation.running();
    const answer = await fetch(`${apiUrl}/operator/tenants`, {
      method: 'POST',
      headers: { 'X-Operator-Key': operatorKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        name: `Tenant ${randomBytes(6).toString('hex')}`,
        webhookUrl: `http://127.0.0.1:${port}${path}`,
      }),
    });
    expect(answer.status).toBe(201);
    const { tenant, apiKey } = (await answer.json()) as { tenant: Party; apiKey: Party };
    return { id: tenant.id, webhookSecret: tenant.webhookSecret, apiKey: apiKey.apiKey };
  }

  /** A client as it should be: the same request again until it is answered for good. */
  async #call({ apiKey }: Party, method: string, path: string, body: unknown, key?: string) {
    const until = Date.now() + 60_000;
    const headers = {
      'X-Api-Key': apiKey,
      'Content-Type': 'application/json',
      ...(key && { 'Idempotency-Key': key }),
    };
    while (Date.now() < until) {
      const signal = AbortSignal.timeout(15_000);
      const request = { method, headers, body: JSON.stringify(body), signal };
      // No answer at all: the api itself was killed.
      const answer = await fetch(this.#installation.running().apiUrl + path, request)
        .then(async (got) => ({ status: got.status, text: await got.text(), headers: got.headers }))
        .catch(() => undefined);
      if (answer && answer.status < 500) return answer;
      if (answer) {
        // Whatever breaks behind it, the api says that it is temporary.
        const { code } = JSON.parse(answer.text) as { code: string };
        expect([answer.status, code]).toEqual([503, 'temporarily_unavailable']);
        expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
      }
      await delay(100);
    }
    throw new Error(`${method} ${path} was not answered for a minute`);
  }

  /** The server of both tenants: remembers every event, and confirms what arrives for the receiver. */
  async #receive(request: IncomingMessage): Promise<number> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks);
    const { webhookSecret } = request.url === '/sender' ? this.#sender : this.#receiver;
    const signature = String(request.headers['service-signature']);
    const limits = { nowMs: Date.now(), toleranceMs: TOLERANCE_MS };
    if (!verifyWebhook(webhookSecret, signature, raw, limits)) return 401;
    this.#received.add(String(request.headers['x-event-id']));
    const { id, direction, status } = JSON.parse(raw.toString()) as Record<string, string>;
    if (direction === 'INCOMING' && status === 'DELIVERED') void this.#confirm(String(id));
    return 200;
  }

  /** Confirms a received message as soon as it is screened: until then the answer is 409 screening_pending. */
  async #confirm(id: string): Promise<void> {
    await eventually(
      async () => await this.#call(this.#receiver, 'PATCH', `/transactions/${id}`, { status: 'CONFIRMED' }),
      ({ text }) => !text.includes('screening_pending'),
    );
  }

  /** Sends all, IN_FLIGHT at a time, and kills in between. */
  async #sendAll({ name, transactions, kills }: KillRound): Promise<void> {
    const queue = Array.from({ length: transactions }, (_, index) => `${name}-${index}`);
    let answered = 0;
    const blockchainInfo = {
      blockchain: 'Ethereum',
      destination: this.#destination,
      destinationType: 'CUSTODIAL',
    };
    const originator = { name: 'Anna Keller' };
    const sendNext = async () => {
      for (let key = queue.shift(); key !== undefined; key = queue.shift()) {
        const body = { asset: 'ETH', amount: '0.1', reference: key, blockchainInfo, originator };
        const { status } = await this.#call(this.#sender, 'POST', '/transactions', body, key);
        expect([key, status]).toEqual([key, 201]);
        answered += 1;
        for (const { part, after, signal } of kills)
          if (answered === after) this.#installation.kill(part, signal);
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, sendNext));
  }

  /**
   * Until the number fits, for as long as it still moves: how fast two cores get through five hundred is the bench's
   * matter, that nothing stands still is this one's. `from` follows `select count(*) from`; $1 are both tenants.
   */
  async #countBecomes(expected: number, from: string): Promise<void> {
    let last: string | undefined;
    let movedAt = Date.now();
    const count = async () => {
      try {
        const both = [this.#sender.id, this.#receiver.id];
        const { rows } = await this.#pool.query<{ count: string }>(`select count(*) from ${from}`, [both]);
        if (rows[0]?.count !== last) movedAt = Date.now();
        last = rows[0]?.count;
      } catch {
        // PostgreSQL is being started again.
      }
      return last;
    };
    const isOver = (found: string | undefined) =>
      found === String(expected) || Date.now() - movedAt > STANDSTILL_MS;
    await eventually(count, isOver, LONGEST_MS);
    expect([from, last]).toEqual([from, String(expected)]);
  }

  /** Plays a round, and expects that nothing that was answered 201 is lost and that everything finishes by itself. */
  async play(round: KillRound): Promise<void> {
    await this.#sendAll(round);
    const mine = (transaction: string) =>
      `${transaction}.tenant_id = any($1) and direction = 'OUTGOING' and reference like '${round.name}-%'`;
    await this.#countBecomes(
      round.transactions,
      `transactions t where ${mine('t')} and status = 'CONFIRMED'`,
    );
    await this.#countBecomes(round.transactions, `transactions t where ${mine('t')}`);
    await this.#countBecomes(
      round.transactions,
      `events e join transactions t on t.id = e.subject_id where e.type = 'CREATED' and ${mine('t')}`,
    );
    const ofBoth = 'tenant_id = any($1)';
    await this.#countBecomes(0, `webhook_deliveries where ${ofBoth} and status <> 'DELIVERED'`);
    const { rows } = await this.#pool.query<{ id: string }>(
      `select id from webhook_deliveries where ${ofBoth}`,
      [[this.#sender.id, this.#receiver.id]],
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ id }) => !this.#received.has(id))).toEqual([]);
    await this.#countBecomes(0, `outbox where ${ofBoth}`);
    await this.#countBecomes(0, `transactions where ${ofBoth} and wake_at is not null`);
    expect(await verifyEvents({ pool: this.#pool, vault: await this.#vault })).toMatchObject({ faults: [] });
  }

  /** How many transactions the sender reads. */
  async kept(): Promise<string | null> {
    const answer = await fetch(`${this.#installation.running().apiUrl}/transactions?_end=1`, {
      headers: { 'X-Api-Key': this.#sender.apiKey },
    });
    expect(answer.status).toBe(200);
    return answer.headers.get('x-total-count');
  }
}
