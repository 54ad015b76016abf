import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { commitOnce } from '../../db/idempotency/idempotency.ts';
import type { IdempotentCall } from '../../db/idempotency/idempotent-call.ts';
import { OPERATORS } from '../../db/idempotency/operator-scope.ts';
import { inTransaction } from '../../db/postgres.ts';
import { UNNAMED_OPERATOR } from '../../process/operator-keys.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { DomainError, invalidField } from '../../domain/errors.ts';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import type { Endpoint, RunEffect } from '../endpoint.ts';
import type { CommitEffect, LeasedEffect } from '../idempotency.ts';
import { unusableValues } from '../../domain/json/unusable-values.ts';
import { parseJson } from '../read-body.ts';
import type { EndpointAnswer } from '../send-answer.ts';
import type { RequestAudit } from './audit-requests.ts';
import { addressOf } from './caller-address.ts';

/** What a request brings: a JSON body as it was sent, or a form by its fingerprint. */
type RequestContent = { json: Buffer } | { form: Buffer };

/** The effects of a request under its Idempotency-Key. The key has no effect before `once` is called. */
interface KeyedEffects {
  /** Runs the request by the endpoint's kind of idempotency. */
  once: (content: RequestContent, run: RunEffect) => Promise<EndpointAnswer>;
  commit: CommitEffect;
  idempotency: () => IdempotentCall | null;
}

/** Reads the Idempotency-Key of a request. Throws validation_failed if the key is malformed. */
export function keyedEffects(
  endpoint: Endpoint,
  deps: Deps,
  request: Request,
  { caller, requestId, audit }: { caller: Caller; requestId: string; audit: RequestAudit },
): KeyedEffects {
  const { idempotency: kind } = endpoint;
  const key = kind === 'NONE' ? undefined : readKey(request);
  let call: IdempotentCall | null = null;
  let leased: LeasedEffect | undefined;
  return {
    async once(content, run) {
      if (key === undefined || caller.kind === 'NONE') return await run();
      const tenantId = ownerOf(caller);
      call = { tenantId, key, ...fingerprintsOf(deps, { request, caller }, content) };
      const runLeased: RunEffect = async (given) => {
        leased = given;
        return await run(given);
      };
      return await deps.answerOnce({ call, kind, requestId, run: runLeased });
    },
    async commit(effect) {
      // With LEASE, the key was taken before the effect began.
      const free = kind === 'LEASE' ? null : call;
      await audit.prepare();
      const audited: typeof effect = async (tx) => {
        const answer = await effect(tx);
        await audit.within(tx, answer);
        return answer;
      };
      const write = async () =>
        free
          ? await commitOnce(deps.db, free, audited)
          : await inTransaction(deps.db.pool, async (tx) => {
              const answer = await audited(tx);
              await leased?.keep(tx, answer);
              return answer;
            });
      const owner = caller.kind === 'NONE' ? addressOf(request) : ownerOf(caller);
      const made = await deps.writeInTurn(owner, write);
      audit.committed();
      deps.notifyWorkflows(made.outbox ?? []);
      return { status: made.status, body: made.body };
    },
    idempotency: () => call,
  };
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

function readKey(request: Request): string | undefined {
  const key = request.get('Idempotency-Key');
  if (key === undefined || IDEMPOTENCY_KEY.test(key)) return key;
  throw invalidField(
    '/Idempotency-Key',
    'invalid_format',
    '1 to 255 printable ASCII characters are expected.',
  );
}

interface SentRequest {
  request: Request;
  caller: Caller;
}
type Fingerprints = Pick<IdempotentCall, 'fingerprint' | 'otherFingerprints'>;

/** Equal JSON is the same request, however it is written; what is no JSON is compared by its bytes. */
function fingerprintsOf({ requestHashes }: Deps, sent: SentRequest, content: RequestContent): Fingerprints {
  const plain = plainHashes(sent, content);
  const [fingerprint, ...earlier] = requestHashes(plain[0]);
  return { fingerprint, otherFingerprints: [...earlier, ...plain] };
}

/** What the version before stored: of the canonical form, or of the bytes. */
function plainHashes(sent: SentRequest, content: RequestContent): [Buffer, ...Buffer[]] {
  if ('form' in content) return [plainHash(sent, content.form)];
  const { json } = content;
  return [plainHash(sent, canonicalText(json) ?? json), plainHash(sent, json)];
}

/** The canonical JSON (RFC 8785) of a body; undefined if it has none: malformed, or with values that it cannot express. */
function canonicalText(json: Buffer): string | undefined {
  try {
    const value = parseJson(json);
    return unusableValues(value).length === 0 ? canonicalJson(value) : undefined;
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

function plainHash({ request, caller }: SentRequest, content: Buffer | string): Buffer {
  const { method, originalUrl } = request;
  return createHash('sha256')
    .update(`${userOf(caller)}${method} ${originalUrl}\n`)
    .update(content)
    .digest();
}

/** The owner of a caller's Idempotency-Keys: their answers are sealed with its keys. */
function ownerOf(caller: Exclude<Caller, { kind: 'NONE' }>): string {
  if (caller.kind === 'OPERATOR') return OPERATORS;
  return caller.kind === 'PARTNER' ? caller.partnerId : caller.tenantId;
}

/** An answer to a user or a named operator may be for them alone; the keys of a tenant or partner share theirs. */
function userOf(caller: Caller): string {
  if (caller.kind === 'TENANT' && caller.actor.kind === 'USER') return `${caller.actor.id} `;
  if (caller.kind !== 'OPERATOR' || caller.actor.operatorName === UNNAMED_OPERATOR) return '';
  return `operator:${caller.actor.operatorName} `;
}
