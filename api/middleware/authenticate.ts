import type { Request, RequestHandler } from 'express';
import { DomainError } from '../../domain/errors.ts';
import { roleAllows, type Role } from '../../domain/tenants/role.ts';
import type { Caller, TenantCaller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import type { Endpoint } from '../endpoint.ts';
import type { FailedKeys } from './failed-keys.ts';

/**
 * Authenticates the caller and checks its role. An address that sends too many requests without a valid key is heard only
 * with API keys that were valid within the last minute, and the operator key. Throws unauthenticated, forbidden,
 * rate_limited and what the API key is refused with.
 */
export function authenticate(endpoint: Endpoint, deps: Deps, failedKeys: FailedKeys): RequestHandler {
  return async (request, response, next) => {
    const caller =
      recalled(request, endpoint, deps) ?? (await readGuarded(request, endpoint, { deps, failedKeys }));
    response.locals.caller = caller;
    requireRole(caller, endpoint.role);
    next();
  };
}

/** Like `authenticate`, but for a request whose caller came from the cache: reads the API key from the database. */
export async function authenticateAgain(request: Request, endpoint: Endpoint, deps: Deps): Promise<Caller> {
  const caller = await readCaller(request, endpoint, deps);
  requireRole(caller, endpoint.role);
  return caller;
}

async function readGuarded(
  request: Request,
  endpoint: Endpoint,
  { deps, failedKeys }: { deps: Deps; failedKeys: FailedKeys },
): Promise<Caller> {
  if (endpoint.auth === 'TENANT') failedKeys.requireFew(request, () => recall(request, deps) !== undefined);
  try {
    return await readCaller(request, endpoint, deps);
  } catch (error) {
    // The operator key costs no look into the database, so the right one is heard whoever else is at the address.
    if (endpoint.auth === 'OPERATOR') failedKeys.requireFew(request, () => false);
    failedKeys.note(request, error);
    throw error;
  }
}

async function readCaller(request: Request, { auth }: Endpoint, deps: Deps): Promise<Caller> {
  switch (auth) {
    case 'TENANT':
      return await deps.authenticateTenant(credential(request, 'X-Api-Key'));
    case 'OPERATOR':
      return await deps.authenticateOperator(credential(request, 'X-Operator-Key'));
    case 'NONE':
      return { kind: 'NONE' };
  }
}

/**
 * Returns the cached caller, if the endpoint can verify the key in its own statement. Not for a request with an
 * Idempotency-Key: replaying a stored answer writes nothing that could verify the key.
 */
function recalled(request: Request, endpoint: Endpoint, deps: Deps): Caller | undefined {
  if (!endpoint.checksKeyAtWrite || request.get('Idempotency-Key') !== undefined) return undefined;
  const caller = recall(request, deps);
  // A cached role that is too low may have been raised since, so the key is read again.
  return caller && roleAllows(caller.role, endpoint.role) ? caller : undefined;
}

function recall(request: Request, deps: Deps): TenantCaller | undefined {
  const key = request.get('X-Api-Key');
  return key ? deps.recallTenant(key) : undefined;
}

function credential(request: Request, header: string): string {
  const given = request.get(header);
  if (!given) throw new DomainError('unauthenticated', `Send your key in the header ${header}.`);
  return given;
}

function requireRole(caller: Caller, role: Role): void {
  if (caller.kind === 'API_KEY' && !roleAllows(caller.role, role)) {
    throw new DomainError('forbidden', `This needs a key with the role ${role}.`);
  }
}
