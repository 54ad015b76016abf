import type { components, paths } from './openapi.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Every named schema of the API. */
export type Schemas = components['schemas'];

/** The paths that take a method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<Lowercase<M>, object> ? P : never;
}[keyof paths];

type Operation<M extends Method, P extends PathOf<M>> = paths[P][Lowercase<M> & keyof paths[P]];

type JsonOf<T> = T extends { content: { 'application/json': infer Body } } ? Body : never;
type FormOf<T> = T extends { content: { 'multipart/form-data': object } } ? FormData : never;
type TextOf<T> = T extends { content: { 'text/plain': string } } ? string : never;
type BytesOf<T> = T extends { content: { 'application/octet-stream': string } } ? Uint8Array : never;
type EmptyOf<T> = T extends { content: object } ? never : undefined;

/** What an accepted request resolves with: parsed JSON, text, bytes, or undefined where the answer has no body. */
export type AnswerOf<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { responses: infer Responses } ? ContentOf<Responses[keyof Responses]> : never;
type ContentOf<T> = JsonOf<T> | TextOf<T> | BytesOf<T> | EmptyOf<T>;

/** `path`, `query` and `body` of an operation, each required where the operation requires it. */
type InputOf<Op> = Op extends { parameters: infer Parameters }
  ? Pick<Parameters, keyof Parameters & ('path' | 'query')> & {
      [K in keyof Op as K extends 'requestBody' ? 'body' : never]: JsonOf<Op[K]> | FormOf<Op[K]>;
    }
  : never;

/** How one call is made. */
export interface CallOptions {
  /** For a POST: the same key means the same request for 24 hours. Default: a new key for each call. */
  idempotencyKey?: string;
  /** Further headers. */
  headers?: Readonly<Record<string, string>>;
  /** Ends the call, its retries included. */
  signal?: AbortSignal;
  /** The longest time of one attempt, in milliseconds. */
  timeoutMs?: number;
  /** How often the request is sent again at most. */
  retries?: number;
}

type RequestOptions<M extends Method, P extends PathOf<M>> = CallOptions & InputOf<Operation<M, P>>;

/** The options may be left out where nothing in them is required. */
type RequestArguments<M extends Method, P extends PathOf<M>> =
  object extends RequestOptions<M, P> ? [options?: RequestOptions<M, P>] : [options: RequestOptions<M, P>];

/** Sends a request to any endpoint. Throws WaybillProblem for a refusal, ConnectionFailed without an answer. */
export type SendRequest = <M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  ...options: RequestArguments<M, P>
) => Promise<AnswerOf<M, P>>;

/** The body of an operation. */
export type BodyOf<M extends Method, P extends PathOf<M>> =
  Operation<M, P> extends { requestBody?: infer Body } ? JsonOf<Body> : never;

/** The query of an operation. */
export type QueryOf<P extends PathOf<'GET'>> =
  Operation<'GET', P> extends { parameters: { query?: infer Query } } ? NonNullable<Query> : never;
