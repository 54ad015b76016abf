import type { Logger } from 'pino';
import { z } from 'zod';
import type { IdempotentCall } from '../db/idempotency/idempotent-call.ts';
import type { AuditedParameters } from '../domain/audit/parameters.ts';
import { defaultAuditRule, type AuditRule } from '../domain/audit/rule.ts';
import type { DomainError, ErrorCode } from '../domain/errors.ts';
import { wholeNumber } from '../domain/list-query.ts';
import type { Permission } from '../domain/tenants/role.ts';
import type { EndpointAuth, CallerBy, LimitKind } from './caller.ts';
import type { Deps } from './deps.ts';
import type { CommitEffect, IdempotencyKind, LeasedEffect } from './idempotency.ts';
import type { PeerCertificate } from './peer-certificate.ts';
import { BODY_LIMIT } from './read-body.ts';
import type { EndpointAnswer } from './send-answer.ts';
import { MULTIPART_ERRORS, type PartRules } from './uploads/part-rule.ts';
import type { ReadPart, TakeFile } from './uploads/read-multipart.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A parsed request, as `handle` receives it. */
interface ApiRequest<A extends EndpointAuth, Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  caller: CallerBy[A];
  log: Logger;
  header: (name: string) => string | undefined;
  /** The address of the client, by which callers are counted. */
  address: string;
  /** The exact address of the client; undefined where a proxy names none. */
  ip: string | undefined;
  /** The certificate that the caller has proven to hold; undefined without one. */
  certificate: () => PeerCertificate | undefined;
  requestId: string;
  commit: CommitEffect;
  /** The Idempotency-Key for endpoints of kind OWN_STATEMENT. The key of a form is known inside `ReadForm.once` only. */
  idempotency: () => IdempotentCall | null;
  /** True if the request is a form; `body` is then undefined. */
  isForm: boolean;
  /** Reads the form of an endpoint that declares `multipart`. May be called once. */
  readForm: (takeFile: TakeFile) => Promise<ReadForm>;
  /** True once the server has begun to stop. */
  isStopping: boolean;
}

type AdmittedRequest<Params> = Pick<ApiRequest<EndpointAuth, Params, unknown, unknown>, 'params' | 'header'>;

/** A form that was read to its end. `takeFile` received its files while they arrived. */
export interface ReadForm {
  parts: ReadPart[];
  /** Runs the effect of the form under the request's Idempotency-Key. A JSON request runs under its key as a whole. */
  once: (run: RunEffect) => Promise<EndpointAnswer>;
}
export type RunEffect = (leased?: LeasedEffect) => Promise<EndpointAnswer>;

/** A documented response. `schema: null` means no body; `contentType` is set for a body that is not JSON. */
export interface ResponseText {
  description: string;
  schema?: z.ZodType | null;
  contentType?: string;
  /** Header names with their descriptions. */
  headers?: Readonly<Record<string, string>>;
}

/** A request that works as printed, but for its ids (`EXAMPLE_IDS`). The examples of paths are those of the glossary. */
interface RequestExample<Q = object, B = unknown> {
  query?: Q;
  body?: B;
  /** The parts of a form. A file is given by its text, an image by its name. */
  form?: Readonly<Record<string, string | string[]>>;
}

interface EndpointText<
  A extends EndpointAuth,
  P extends z.ZodObject,
  Q extends z.ZodType,
  B extends z.ZodType,
> {
  /** The name of the operation in generated clients: verb and noun, such as `createTransaction`. */
  operationId: string;
  method: Method;
  /** The path in OpenAPI notation: `/transactions/{id}`. */
  path: `/${string}`;
  auth: A;
  /** What the caller's role must permit. Default: READ for GET, DECIDE for other methods. */
  permission?: Permission;
  /** What the audit log has of its requests. Default: `defaultAuditRule`. */
  audit?: AuditRule;
  /**
   * What the entry of the audit log has of the body, beside path and query: choices, switches, numbers and ids. Null for what may
   * name a person or a wallet.
   */
  auditedBody?: ((body: z.output<B>) => AuditedParameters) | undefined;
  /** True if the token of the hosted page is the credential, in its header. */
  takesPageToken?: boolean;
  /** Set where the token of a link of the e-mail portal is the credential; SESSION: beside it that of a session. */
  portal?: 'LINK' | 'SESSION' | null;
  limit: LimitKind;
  tag: string;
  summary: string;
  description?: string;
  params?: P;
  query?: Q;
  body?: B;
  /** The request that the reference shows. Without one, a request without query and body works. */
  example?: RequestExample<z.input<Q> & object, z.input<B>> | undefined;
  /** True if empty texts in the body count as absent: other products write them for what they do not have. */
  dropsEmptyTexts?: boolean;
  /** True if an absent body is read as `{}`. */
  bodyOptional?: boolean;
  /** The largest JSON body. Default: `BODY_LIMIT`. */
  bodyBytes?: number;
  /** The parts of a multipart/form-data request. With a `body` the endpoint accepts JSON too. `handle` reads the form. */
  multipart?: PartRules | undefined;
  /** Replaces the error of the body's schema by a more specific one. */
  refineRefusal?: ((fault: DomainError) => DomainError) | undefined;
  /** True if a GET changes something: HEAD, which clients send as they like, is then 405. */
  refusesHead?: boolean;
  /**
   * True for a GET that takes no turn among the readings of its tenant, because it waits for what is no connection: a provider,
   * a node, or a batch that is shared with others.
   */
  readsOutOfTurn?: boolean;
  /**
   * True for a POST that only reads: it takes a turn among the readings of its tenant, as a GET does. Not for one that waits for what
   * is no connection: that takes turns for the parts that read.
   */
  readsInTurn?: boolean;
  /** How a repeat with the same Idempotency-Key is answered. Required for every POST with `auth`; NONE otherwise. */
  idempotency?: IdempotencyKind;
  /**
   * True if the caller may come from the cache, which saves the statement that reads the API key. `handle` then verifies
   * `caller.cachedKey` in the statement that writes its result. Throws StaleCaller if the key has changed.
   */
  checksKeyAtWrite?: boolean;
  responses: Readonly<Record<number, ResponseText>>;
  /** Error codes specific to this endpoint. `documentedErrors` adds those of authentication, parsing and rate limits. */
  errors: readonly ErrorCode[];
  /** Refuses a request by its path and headers before its body is read: whoever knows no token costs nothing more. */
  admit?(request: AdmittedRequest<z.output<P>>, deps: Deps): Promise<void>;
  handle(request: ApiRequest<A, z.output<P>, z.output<Q>, z.output<B>>, deps: Deps): Promise<EndpointAnswer>;
}

/** An endpoint with every default filled in, as the router, the OpenAPI document and the response check use it. */
export type Endpoint = Required<
  Omit<
    EndpointText<EndpointAuth, z.ZodObject, z.ZodType, z.ZodType>,
    'description' | 'example' | 'multipart' | 'refineRefusal' | 'admit' | 'auditedBody'
  >
> & {
  description: string | undefined;
  example: RequestExample | undefined;
  multipart: PartRules | undefined;
  refineRefusal: ((fault: DomainError) => DomainError) | undefined;
  admit: EndpointText<EndpointAuth, z.ZodObject, z.ZodType, z.ZodType>['admit'];
  auditedBody: ((body: never) => AuditedParameters) | undefined;
};

const NoSchema = z.strictObject({});
type NoSchema = typeof NoSchema;

/**
 * Declares an endpoint. The types of `handle`, the documentation and the response check all follow from its schemas. Throws
 * TypeError if `params` differ from the names in the path, or if an authenticated POST does not declare its idempotency.
 */
export function defineEndpoint<
  A extends EndpointAuth,
  P extends z.ZodObject = NoSchema,
  Q extends z.ZodType = NoSchema,
  B extends z.ZodType = NoSchema,
>(text: EndpointText<A, P, Q, B>): Endpoint {
  const { method, auth, path, params = NoSchema } = text;
  const permission = text.permission ?? (method === 'GET' ? 'READ' : 'DECIDE');
  refuseOtherParams(path, Object.keys(params.shape));
  if (method === 'POST' && auth !== 'NONE' && (text.idempotency ?? 'NONE') === 'NONE') {
    throw new TypeError(`${path}: a POST declares its idempotency`);
  }
  return {
    audit: defaultAuditRule({ auth, method, permission }),
    description: undefined,
    example: undefined,
    multipart: undefined,
    refineRefusal: undefined,
    admit: undefined,
    auditedBody: undefined,
    query: NoSchema,
    body: NoSchema,
    bodyOptional: text.body === undefined,
    bodyBytes: BODY_LIMIT,
    dropsEmptyTexts: false,
    idempotency: 'NONE',
    checksKeyAtWrite: false,
    takesPageToken: false,
    portal: null,
    refusesHead: false,
    readsOutOfTurn: false,
    readsInTurn: false,
    ...text,
    permission,
    params,
  };
}

function refuseOtherParams(path: string, names: string[]): void {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  if (inPath.length !== names.length || !names.every((name) => inPath.includes(name))) {
    throw new TypeError(`${path}: its params schema must have exactly the names in the path`);
  }
}

/** True if the endpoint declares a body. An endpoint without one still accepts an empty object. */
export function takesBody(endpoint: Endpoint): boolean {
  return endpoint.body !== NoSchema;
}

/** All error codes of an endpoint: its own ones and those that follow from its declaration. */
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
    ...(auth === 'TENANT' || auth === 'PARTNER'
      ? (['key_expired', 'key_revoked', 'wrong_environment'] as const)
      : []),
    ...(auth === 'TENANT' ? (['ip_not_allowed', 'tenant_suspended'] as const) : []),
    ...(params === NoSchema ? [] : (['not_found'] as const)),
    ...(idempotency !== 'NONE' ? (['conflict', 'idempotency_key_reused'] as const) : []),
  ]);
}

/** A record's UUID in a path. Any other text is 404. */
export const UuidParam = z.uuid().toLowerCase();

/** A record's number in a path, from 1. Any other text is 404. */
export const IdParam = wholeNumber(1);
