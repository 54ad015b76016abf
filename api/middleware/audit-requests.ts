import type { ErrorRequestHandler, Request, Response } from 'express';
import type { Queryable } from '../../db/postgres.ts';
import type { AuditActor, AuditDraft } from '../../domain/audit/entry.ts';
import { auditedParameters, type AuditedParameters } from '../../domain/audit/parameters.ts';
import { auditDuty, type AuditDuty } from '../../domain/audit/rule.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import type { Endpoint } from '../endpoint.ts';
import { PROBLEMS, toDomainError } from '../errors.ts';
import type { EndpointAnswer } from '../send-answer.ts';
import { addressOf } from './caller-address.ts';

/** What one request adds to the audit log. */
export interface RequestAudit {
  /** Takes over path and query, which are well-formed by now. */
  takeParameters: (params: Readonly<Record<string, unknown>>) => void;
  /** Takes over what the entry has of the body. */
  takeBody: (parameters: AuditedParameters) => void;
  /** Call it before the database transaction of `within`. */
  prepare: () => Promise<void>;
  /** Writes the entry of an answer in the database transaction of its effect. Throws temporarily_unavailable. */
  within: (tx: Queryable, answer: EndpointAnswer) => Promise<void>;
  /** Call it when that transaction is committed. */
  committed: () => void;
  /** Writes or counts what is not written yet, before the answer is sent. Throws temporarily_unavailable. */
  answered: (answer: EndpointAnswer) => Promise<void>;
  /** Writes the entry of a refusal. Throws nothing: a refusal tells nothing, so it needs no entry to be sent. */
  refused: (code: ErrorCode) => Promise<void>;
}

const NO_AUDIT: RequestAudit = {
  takeParameters: () => undefined,
  takeBody: () => undefined,
  prepare: async () => await Promise.resolve(),
  within: async () => await Promise.resolve(),
  committed: () => undefined,
  answered: async () => await Promise.resolve(),
  refused: async () => await Promise.resolve(),
};

/** The audit of a request whose caller is known. */
export function requestAudit(
  endpoint: Endpoint,
  { audit }: Deps,
  request: Request,
  { locals }: Response,
): RequestAudit {
  const { caller } = locals;
  const duty = dutyOf(endpoint, caller);
  if (duty === 'NOTHING' || caller === undefined || caller.kind === 'NONE') return NO_AUDIT;
  let named: NamedRecords = { params: {}, parameters: {} };
  let isWritten = false;
  const draftOf = (outcome: AuditedOutcome): AuditDraft => {
    const { params, parameters } = named;
    const origin = { address: addressOf(request), requestId: locals.requestId };
    const about = aboutOf(endpoint, caller, { params, outcome });
    const { status, code } = outcome;
    return { ...about, status, code, parameters, origin, hour: null, requests: 1 };
  };
  const draftOfAnswer = (answer: EndpointAnswer) => draftOf({ ...answer, code: problemCode(answer) });
  return {
    takeParameters: (params) => void (named = namedRecords(params, request.originalUrl)),
    takeBody: (parameters) => void (named = { ...named, parameters: { ...named.parameters, ...parameters } }),
    async prepare() {
      if (duty === 'ENTRY') await audit.prepare({ actor: auditActor(caller), tenantId: ownerOf(caller) });
    },
    async within(tx, answer) {
      if (duty === 'ENTRY') await audit.write(draftOfAnswer(answer), tx);
    },
    committed: () => void (isWritten = true),
    async answered(answer) {
      if (duty === 'COUNT') countRead(endpoint, caller, audit);
      else if (duty === 'ENTRY_OF_HOUR') await audit.writeFirstOfHour(draftOfAnswer(answer));
      else if (!isWritten) await audit.write(draftOfAnswer(answer));
    },
    async refused(code) {
      if (duty === 'COUNT') return;
      const { status } = PROBLEMS[code];
      // The log of the process has the reason.
      await audit.write(draftOf({ status, code })).catch(() => undefined);
    },
  };
}

/** Notes refusals. Those by a rate limit are not noted: whoever is over it would fill the log. */
export function auditRefusals(endpoint: Endpoint, deps: Deps): ErrorRequestHandler {
  return async (error: unknown, request, response, next) => {
    const { code } = toDomainError(error);
    const audit = response.locals.audit ?? requestAudit(endpoint, deps, request, response);
    if (code !== 'rate_limited') await audit.refused(code);
    next(error);
  };
}

function dutyOf({ audit }: Endpoint, caller: Caller | undefined): AuditDuty {
  if (caller === undefined || caller.kind === 'NONE') return 'NOTHING';
  // A partner's profile is no record of a tenant; what it does is in the log of the process.
  if (caller.kind === 'PARTNER') return 'NOTHING';
  return auditDuty(audit, caller.kind === 'TENANT' ? caller.actor.kind : 'OPERATOR');
}

type KnownCaller = Exclude<Caller, { kind: 'NONE' }>;

function auditActor(caller: KnownCaller): AuditActor {
  switch (caller.kind) {
    case 'TENANT':
      return caller.actor;
    case 'OPERATOR':
      return { kind: 'OPERATOR', name: caller.actor.operatorName };
    case 'PARTNER':
      return { kind: 'UNKNOWN' };
  }
}

function ownerOf(caller: KnownCaller): string | null {
  return caller.kind === 'TENANT' ? caller.tenantId : null;
}

function countRead({ operationId }: Endpoint, caller: KnownCaller, audit: Deps['audit']): void {
  if (caller.kind !== 'TENANT') return;
  const { tenantId, actor } = caller;
  audit.count({ tenantId, apiKeyId: actor.id, operation: operationId, code: null, recordId: null });
}

/** What a request names, without what may be personal data. */
interface NamedRecords {
  params: Readonly<Record<string, unknown>>;
  parameters: AuditedParameters;
}

/** Parameters of paths that name the record itself, the most specific one first. */
const RECORD_PARAMS = ['keyId', 'attestationId', 'id', 'entityId'];

function namedRecords(params: Readonly<Record<string, unknown>>, target: string): NamedRecords {
  const inPath = Object.entries(params).filter(([name]) => !RECORD_PARAMS.includes(name));
  const inQuery = new URLSearchParams(target.split('?')[1]);
  const given = [...inPath.map(([name, value]) => [name, String(value)] as [string, string]), ...inQuery];
  return { params, parameters: auditedParameters(given) };
}

interface AuditedOutcome extends Pick<EndpointAnswer, 'body' | 'tenantId'> {
  status: number;
  code: string | null;
}

/** The code of a refusal that is answered from what an Idempotency-Key has kept. */
function problemCode({ status, body }: EndpointAnswer): string | null {
  if (status < 400 || !Buffer.isBuffer(body)) return null;
  return (JSON.parse(body.toString()) as { code: string }).code;
}

type AuditSubject = Pick<AuditDraft, 'tenantId' | 'actor' | 'operation' | 'recordId' | 'items'>;

function aboutOf(
  { method, path, operationId }: Endpoint,
  caller: KnownCaller,
  { params, outcome }: { params: NamedRecords['params']; outcome: AuditedOutcome },
): AuditSubject {
  const { body } = outcome;
  const named = RECORD_PARAMS.map((name) => idText(params[name])).find((id) => id !== null);
  const made = method === 'POST' && outcome.status < 300 ? madeId(body) : null;
  const isOfTenant = path.startsWith('/operator/tenants/{id}');
  const touched =
    outcome.tenantId ??
    (isOfTenant ? idText(params['id']) : (idIn(body, 'tenant') ?? memberOf(body, 'tenantId')));
  return {
    // A tenant that an operator named in vain may not exist.
    tenantId: ownerOf(caller) ?? (outcome.status < 400 ? touched : null),
    actor: auditActor(caller),
    operation: operationId,
    recordId: made ?? named ?? null,
    items: Array.isArray(body) ? body.length : null,
  };
}

/** The id of the record that was made or changed, as the answer shows it. */
function madeId(body: unknown): string | null {
  return (
    memberOf(body, 'id') ??
    idIn(body, 'tenant') ??
    idIn(body, 'user') ??
    idIn(body, 'partner') ??
    memberOf(body, 'userId')
  );
}

function idIn(body: unknown, member: 'tenant' | 'user' | 'partner'): string | null {
  const inner: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, member) : undefined;
  return memberOf(inner, 'id');
}

function memberOf(body: unknown, member: 'id' | 'tenantId' | 'userId'): string | null {
  return typeof body === 'object' && body !== null ? idText(Reflect.get(body, member)) : null;
}

/** Most ids are UUIDs, those of wallets are numbers. */
function idText(id: unknown): string | null {
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null;
}
