import type { AnswerOf, BodyOf, Method, PathOf, Schemas } from './api-types.ts';
import { forgetKey, keyOf, randomKey } from './request-keys.ts';

export type Problem = Schemas['Problem'];
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A refusal of the API, or a request that got no answer: then there is no problem document. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly problem: Problem | null;
  constructor(problem: Problem | null) {
    super(problem?.detail ?? 'The service gives no answer. Check the connection and try again.');
    this.problem = problem;
  }

  get code(): Problem['code'] | null {
    return this.problem?.code ?? null;
  }

  /** Whether somebody else has changed the record since it was shown. */
  get isConflict(): boolean {
    return this.problem?.status === 409;
  }
}

/** What was thrown, as a refusal: faults of the page itself are told as well. */
export function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const refusal = new Refusal(null);
  if (error instanceof Error && !(error instanceof TypeError)) refusal.message = error.message;
  return refusal;
}

interface CallInput<Body> {
  path?: Readonly<Record<string, string | number>>;
  query?: Query;
  body?: Body;
  signal?: AbortSignal;
}

/** Sends a request with the cookie of the session. Throws Refusal. A session that has ended is renewed first. */
export async function send<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  input: CallInput<BodyOf<M, P>> = {},
): Promise<AnswerOf<M, P>> {
  const text =
    method === 'POST' ? await sendOnce(path, input) : await (await exchange(method, path, input)).text();
  return (text === '' ? undefined : JSON.parse(text)) as AnswerOf<M, P>;
}

/** Sends a POST; sent again after its answer was lost, it is carried out no second time. */
async function sendOnce(path: string, input: CallInput<unknown>): Promise<string> {
  const request = `${urlOf(path, input)} ${JSON.stringify(input.body)}`;
  try {
    const text = await (await exchange('POST', path, input, keyOf(request))).text();
    forgetKey(request);
    return text;
  } catch (error) {
    if (isAnswered(error)) forgetKey(request);
    throw error;
  }
}

/** The refusals that the service keeps for a key. After any other the same request is carried out anew, under the same key. */
const KEPT_REFUSALS = [400, 422];

function isAnswered(error: unknown): boolean {
  return error instanceof Refusal && KEPT_REFUSALS.includes(error.problem?.status ?? 0);
}

export async function get<P extends PathOf<'GET'>>(
  path: P,
  input: CallInput<never> = {},
): Promise<AnswerOf<'GET', P>> {
  return await send('GET', path, input as CallInput<BodyOf<'GET', P>>);
}

/** The paths that answer a list. */
export type ListPath = {
  [P in PathOf<'GET'>]: AnswerOf<'GET', P> extends readonly unknown[] ? P : never;
}[PathOf<'GET'>];
export type ItemOf<P extends ListPath> = AnswerOf<'GET', P> extends readonly (infer Item)[] ? Item : never;

export interface RowRange {
  /** Inclusive. */
  start: number;
  /** Exclusive. */
  end: number;
}

export interface RowPage<Row> {
  rows: readonly Row[];
  /** The number of all rows of the list. */
  total: number;
}

/** One page of a list, with the number of all its rows. */
export async function getPage<P extends ListPath>(
  path: P,
  range: RowRange,
  input: Pick<CallInput<never>, 'path' | 'query'> = {},
): Promise<RowPage<ItemOf<P>>> {
  const query = { ...input.query, _start: String(range.start), _end: String(range.end) };
  const answer = await exchange('GET', path, { ...input, query });
  const rows = (await answer.json()) as ItemOf<P>[];
  const total = Number(answer.headers.get('X-Total-Count') ?? range.start + rows.length);
  return { rows, total };
}

let renewSession: () => Promise<void> = async () => await Promise.reject(new Refusal(null));

/** Sets what signs the person in again when the session has ended. */
export function renewSessionBy(renew: () => Promise<void>): void {
  renewSession = renew;
}

/** Resolves when the person has signed in again. */
export async function renewed(): Promise<void> {
  await renewSession();
}

async function exchange(
  method: Method,
  path: string,
  input: CallInput<unknown>,
  key?: string,
): Promise<Response> {
  const url = urlOf(path, input);
  const request = requestOf(method, input, key);
  let answer = await fetchOrRefuse(url, request);
  if (answer.status === 401) {
    await renewSession();
    // The same Idempotency-Key: what was carried out already is not carried out twice.
    answer = await fetchOrRefuse(url, request);
  }
  if (answer.ok) return answer;
  throw new Refusal(await problemOf(answer));
}

/** A request that does not ask for a new session. */
export async function exchangeOnce(method: Method, path: string, body?: unknown): Promise<Response> {
  return await fetchOrRefuse(apiUrl(path), requestOf(method, { body }));
}

async function fetchOrRefuse(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Refusal(null);
  }
}

function requestOf(method: Method, { body, signal }: CallInput<unknown>, key?: string): RequestInit {
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  return {
    method,
    headers: { ...requestHeaders(method, key), ...type },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  };
}

export function requestHeaders(method: Method, key = randomKey()): Record<string, string> {
  // A page of another site cannot send the first.
  return { 'X-Waybill-Page': 'console', ...(method === 'POST' && { 'Idempotency-Key': key }) };
}

/** The address of the API, whatever path a proxy serves it under: the console is one level below. */
export function apiUrl(path: string): string {
  return new URL(`..${path}`, document.baseURI).pathname;
}

function urlOf(path: string, { path: params = {}, query = {} }: CallInput<unknown>): string {
  const place = apiUrl(
    path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? '')),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of typeof value === 'string' ? [value] : (value ?? [])) search.append(name, one);
  }
  return search.size === 0 ? place : `${place}?${search.toString()}`;
}

export async function problemOf(answer: Response): Promise<Problem | null> {
  const isProblem = answer.headers.get('Content-Type')?.includes('problem+json') ?? false;
  return isProblem ? ((await answer.json()) as Problem) : null;
}
