import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { travelTokenIn, travelUrl } from '../../domain/travel-address/travel-url.ts';
import type { HttpClient } from '../../outside/http.ts';
import { parsedJson } from './check-node.ts';
import { SAMPLE_TRANSFER } from './sample-inquiry.ts';
import { FailedStep } from './self-test-report.ts';

const POLL_MS = 200;

const TestRecord = z.looseObject({
  id: z.string(),
  status: z.string(),
  subStatus: z.string().nullable(),
  travelRuleMessageSource: z.string().nullish(),
  blockchainInfo: z.looseObject({ destination: z.string(), transactionHash: z.string().nullish() }),
});
type TestRecord = z.infer<typeof TestRecord>;
/** What the api says of a request that it does not take. */
const Refusal = z.looseObject({
  code: z.string(),
  detail: z.string(),
  errors: z.array(z.looseObject({ pointer: z.string(), code: z.string() })).default([]),
});
type Refusal = z.infer<typeof Refusal>;

/** A refusal of the api, in its words. */
class Refused extends FailedStep {
  readonly code: string;

  constructor({ code, detail, errors }: Refusal) {
    super(
      `${code}: ${detail}`,
      NEXT[errors[0]?.code ?? code] ?? 'docs/networks.md has what is needed for it.',
    );
    this.code = code;
  }
}

const NEXT: { readonly [code: string]: string } = {
  unauthenticated:
    'The file of --key-file must have a valid API key of a tenant for trials, of role COMPLIANCE or ADMIN.',
  forbidden: 'The API key needs the role COMPLIANCE or ADMIN.',
  address_not_allowed:
    'Add the host of --peer to WEBHOOK_ALLOWED_HOSTS of api and worker, or use a public address.',
  review_required:
    'The rules of this tenant hold the message for a review: use a tenant whose rules let it through.',
  screening_pending: 'The sanctions lists are not loaded: see GET /health.',
};

/** The tenant for trials, by its API key; what it makes is deleted by `clean`. */
export class TestTenant {
  readonly #http: HttpClient;
  readonly #url: string;
  readonly #key: string;
  readonly #addresses: string[] = [];
  readonly #made: string[] = [];

  constructor(http: HttpClient, url: string, key: string) {
    this.#http = http;
    this.#url = url;
    this.#key = key;
  }

  async wallet(): Promise<{ address: string; travelUrl: URL; token: string }> {
    const address = `0x${randomBytes(20).toString('hex')}`;
    this.#addresses.push(address);
    const { id } = await this.#send('POST', '/wallets', z.looseObject({ id: z.int() }), {
      address,
      asset: SAMPLE_TRANSFER.asset,
      blockchain: 'Ethereum',
    });
    this.#made.push(`/wallets/${id}`);
    const schema = z.looseObject({ travelAddress: z.string() });
    const { travelAddress } = await this.#send('GET', `/wallets/${id}/travel-address`, schema);
    const [url, token] = [travelUrl(travelAddress), travelTokenIn(travelAddress)];
    if (!url || token === undefined)
      throw new FailedStep(`the travel address ${travelAddress} has no path of TRP`, 'Set TRP_URL.');
    return { address, travelUrl: url, token };
  }

  /** The messages that have come to an address. */
  async received(address: string): Promise<TestRecord[]> {
    const path = `/transactions?_direction=INCOMING&_destination=${address}`;
    const records = await this.#send('GET', path, z.array(TestRecord));
    for (const { id } of records) this.#note(`/transactions/${id}`);
    return records;
  }

  async create(beneficiaryTravelAddress: string): Promise<TestRecord> {
    const { asset, amount, originator, beneficiary } = SAMPLE_TRANSFER;
    const destination = `0x${randomBytes(20).toString('hex')}`;
    const record = await this.#send('POST', '/transactions', TestRecord, {
      asset,
      amount,
      blockchainInfo: { blockchain: 'Ethereum', destination, destinationType: 'CUSTODIAL' },
      vaspInfo: { beneficiaryTravelAddress },
      originator,
      beneficiary,
    });
    this.#note(`/transactions/${record.id}`);
    return record;
  }

  /** Changes a record; waits for its screening where that has to end first. */
  async patch(id: string, change: object, limitMs: number): Promise<void> {
    const giveUpAt = Date.now() + limitMs;
    for (;;) {
      try {
        await this.#send('PATCH', `/transactions/${id}`, z.unknown(), change);
        return;
      } catch (error) {
        const isEarly = error instanceof Refused && error.code === 'screening_pending';
        if (!isEarly || Date.now() > giveUpAt) throw error;
        await delay(POLL_MS);
      }
    }
  }

  /** Reads a record until it fits. Throws FailedStep with the state in which it stays. */
  async until(id: string, fits: (record: TestRecord) => boolean, limitMs: number): Promise<TestRecord> {
    const giveUpAt = Date.now() + limitMs;
    for (;;) {
      const record = await this.#send('GET', `/transactions/${id}`, TestRecord);
      if (fits(record)) return record;
      if (Date.now() > giveUpAt)
        throw new FailedStep(
          `the record stays ${record.status}/${record.subStatus ?? '-'}`,
          'Does the worker run, and do the rules of this tenant let the message through?',
        );
      await delay(POLL_MS);
    }
  }

  /** Deletes what was made here and what has come, records before their wallets. */
  async clean(): Promise<string> {
    for (const address of this.#addresses) await this.received(address);
    for (const path of this.#made.toReversed()) {
      const { status } = await this.#request('DELETE', path);
      if (status !== 204) throw new FailedStep(`DELETE ${path} answered ${status}`, 'Delete it by hand.');
    }
    return `${this.#made.length} records deleted`;
  }

  #note(path: string): void {
    if (!this.#made.includes(path)) this.#made.push(path);
  }

  async #send<T>(
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    schema: z.ZodType<T>,
    body?: unknown,
  ): Promise<T> {
    const answer = await this.#request(method, path, body);
    const isTaken = answer.status >= 200 && answer.status < 300;
    const parsed = isTaken ? schema.safeParse(answer.body) : undefined;
    if (parsed?.success) return parsed.data;
    const refusal = Refusal.safeParse(answer.body);
    if (refusal.success) throw new Refused(refusal.data);
    throw new FailedStep(
      `${method} ${path} answered ${answer.status}`,
      'Is --api (PUBLIC_URL) the address of the api, and does it run the version of this command?',
    );
  }

  async #request(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) {
    const { status, body: bytes } = await this.#http.send(new URL(`${this.#url}${path}`), {
      method,
      headers: { 'X-Api-Key': this.#key, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status, body: parsedJson(bytes) };
  }
}
