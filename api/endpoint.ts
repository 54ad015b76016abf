import type { Logger } from 'pino';
import { z } from 'zod';
import type { IdempotentCall } from '../db/idempotency/idempotency.ts';
import type { DomainError, ErrorCode } from '../domain/errors.ts';
import { wholeNumber } from '../domain/list-query.ts';
import type { Role } from '../domain/tenants/role.ts';
import type { EndpointAuth, CallerBy, LimitKind } from './caller.ts';
import type { Deps } from './deps.ts';
import type { CommitEffect, IdempotencyKind } from './idempotency.ts';
import type { EndpointAnswer } from './send-answer.ts';
import { MULTIPART_ERRORS, type PartRules } from './uploads/part-rule.ts';
import type { ReadPart, TakeFile } from './uploads/read-multipart.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A parsed request as the endpoint sees it. */
interface ApiRequest<A extends EndpointAuth, Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  caller: CallerBy[A];
  log: Logger;
  header: (name: string) => string | undefined;
  commit: CommitEffect;
  /** The Idempotency-Key, for an endpoint whose own statement takes it. That of a form is known in `ReadForm.once`. */
  idempotency: () => IdempotentCall | null;
  /** The request came as a form: there is no `body`. */
  isForm: boolean;
  /** Reads the form of an endpoint that declares `multipart`, once. */
  readForm: (takeFile: TakeFile) => Promise<ReadForm>;
  /** True once the server has begun to stop. */
  isStopping: boolean;
}

/** A form that has arrived; its files were taken on the way. */
export interface ReadForm {
  parts: ReadPart[];
  /** Runs the effect of the form under the request's Idempotency-Key, as is done for a JSON request as a whole. */
  once: (run: RunEffect) => Promise<EndpointAnswer>;
}
export type RunEffect = () => Promise<EndpointAnswer>;

/** One documented answer; `schema: null` is an answer without body, `contentType` one that is not JSON. */
export interface ResponseText {
  description: string;
  schema?: z.ZodType | null;
  contentType?: string;
  /** Header names with their descriptions. */
  headers?: Readonly<Record<string, string>>;
}

interface EndpointText<
  A extends EndpointAuth,
  P extends z.ZodObject,
  Q extends z.ZodType,
  B extends z.ZodType,
> {
  method: Method;
  /** In OpenAPI's writing: `/transactions/{id}`. */
  path: `/${string}`;
  auth: A;
  /** The least role that may call it; OBSERVER for GET, COMPLIANCE otherwise. */
  role?: Role;
  limit: LimitKind;
  tag: string;
  summary: string;
  description?: string;
  params?: P;
  query?: Q;
  body?: B;
  /** An absent body is read as `{}`. */
  bodyOptional?: boolean;
  /** Takes multipart/form-data with these parts, instead of JSON or, with a `body`, as well; `handle` reads it. */
  multipart?: PartRules | undefined;
  /** A more telling refusal in the place of what the schema of the body found. */
  refineRefusal?: ((fault: DomainError) => DomainError) | undefined;
  /** How a repeat under the same Idempotency-Key is answered. Every POST of a known caller says so; NONE otherwise. */
  idempotency?: IdempotencyKind;
  /**
   * Its key may be one that is remembered: `handle` then checks `caller.cachedKey` in the statement that writes what it
   * answers, and throws StaleCaller. Saves the statement that reads the key.
   */
  checksKeyAtWrite?: boolean;
  responses: Readonly<Record<number, ResponseText>>;
  /** The problems of its own; those of authentication, parsing and limits are added by what it declares. */
  errors: readonly ErrorCode[];
  handle(request: ApiRequest<A, z.output<P>, z.output<Q>, z.output<B>>, deps: Deps): Promise<EndpointAnswer>;
}

/** An endpoint as router, OpenAPI writer and response check see it: with every default filled in. */
export type Endpoint = Required<
  Omit<
    EndpointText<EndpointAuth, z.ZodObject, z.ZodType, z.ZodType>,
    'description' | 'multipart' | 'refineRefusal'
  >
> & {
  description: string | undefined;
  multipart: PartRules | undefined;
  refineRefusal: ((fault: DomainError) => DomainError) | undefined;
};

const NoSchema = z.strictObject({});
type NoSchema = typeof NoSchema;

/** Declares an endpoint: the types of `handle` follow from its schemas, and so do its documentation and its checks. */
export function defineEndpoint<
  A extends EndpointAuth,
  P extends z.ZodObject = NoSchema,
  Q extends z.ZodType = NoSchema,
  B extends z.ZodType = NoSchema,
>(text: EndpointText<A, P, Q, B>): Endpoint {
  const { method, auth, path, params = NoSchema } = text;
  refuseOtherParams(path, Object.keys(params.shape));
  if (method === 'POST' && auth !== 'NONE' && !text.idempotency) {
    throw new TypeError(`${path}: a POST declares its idempotency`);
  }
  return {
    role: method === 'GET' ? 'OBSERVER' : 'COMPLIANCE',
    description: undefined,
    multipart: undefined,
    refineRefusal: undefined,
    query: NoSchema,
    body: NoSchema,
    bodyOptional: text.body === undefined,
    idempotency: 'NONE',
    checksKeyAtWrite: false,
    ...text,
    params,
  };
}

function refuseOtherParams(path: string, names: string[]): void {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  if (inPath.length !== names.length || !names.every((name) => inPath.includes(name))) {
    throw new TypeError(`${path}: its params schema must have exactly the names in the path`);
  }
}

/** Whether the endpoint takes a body with content; every endpoint tolerates an empty object. */
export function takesBody(endpoint: Endpoint): boolean {
  return endpoint.body !== NoSchema;
}

/** Every code that a call may be refused with: those of its own and those that its declaration brings along. */
export function documentedErrors(endpoint: Endpoint): ReadonlySet<ErrorCode> {
  const { auth, params, idempotency, multipart, errors } = endpoint;
  return new Set<ErrorCode>([
    ...errors,
    ...(multipart ? MULTIPART_ERRORS : []),
    'validation_failed',
    'malformed_json',
    'unsupported_media_type',
    'payload_too_large',
    'temporarily_unavailable',
    'internal',
    ...(auth === 'NONE' ? [] : (['unauthenticated', 'forbidden', 'rate_limited'] as const)),
    ...(auth === 'TENANT' ? (['key_expired', 'key_revoked', 'wrong_environment'] as const) : []),
    ...(params === NoSchema ? [] : (['not_found'] as const)),
    ...(idempotency !== 'NONE' ? (['conflict', 'idempotency_key_reused'] as const) : []),
  ]);
}

/** The UUID of a record in a path; anything else names no record, which is 404. */
export const UuidParam = z.uuid().toLowerCase();

/** The number of a record in a path; anything else names no record, which is 404. */
export const IdParam = wholeNumber(1);
