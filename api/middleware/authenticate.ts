import type { Request, RequestHandler } from 'express';
import { isAllowedFrom } from '../../domain/api-keys/allowed-ips.ts';
import { DomainError } from '../../domain/errors.ts';
import { isPermitted, rolesWith, type Permission } from '../../domain/tenants/role.ts';
import { loggedCaller, type Caller, type TenantCaller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { bearerToken } from '../bearer-token.ts';
import type { Endpoint } from '../endpoint.ts';
import { callerIp } from './caller-address.ts';
import { readPageCookie, requireOwnPage } from '../page-cookie.ts';
import type { FailedKeys } from './failed-keys.ts';

/**
 * Authenticates the caller and checks what its role permits. An address that sends too many requests without a valid key is heard only
 * with API keys that were valid within the last minute, and the operators' keys. Throws unauthenticated, forbidden,
 * ip_not_allowed, rate_limited and what the API key is refused with.
 */
export function authenticate(endpoint: Endpoint, deps: Deps, failedKeys: FailedKeys): RequestHandler {
  return async (request, response, next) => {
    const caller =
      recalled(request, endpoint, deps) ?? (await readGuarded(request, endpoint, { deps, failedKeys }));
    response.locals.caller = caller;
    next();
  };
}

/** Refuses callers whose role does not permit the endpoint; it comes behind the rate limits, which count these, too. */
export function permit({ permission }: Endpoint): RequestHandler {
  return (_request, response, next) => {
    const { caller } = response.locals;
    if (caller) requirePermission(caller, permission);
    next();
  };
}

/** Like `authenticate`, but for a request whose caller came from the cache: reads the API key from the database. */
export async function authenticateAgain(request: Request, endpoint: Endpoint, deps: Deps): Promise<Caller> {
  const caller = await readCaller(request, endpoint, deps);
  requirePermission(caller, endpoint.permission);
  return caller;
}

async function readGuarded(
  request: Request,
  endpoint: Endpoint,
  { deps, failedKeys }: { deps: Deps; failedKeys: FailedKeys },
): Promise<Caller> {
  if (endpoint.auth === 'PARTNER') failedKeys.requireFew(request, () => false);
  if (endpoint.auth === 'TENANT')
    failedKeys.requireFew(request, () => mayUseKey(request, recall(request, deps)));
  try {
    return await readCaller(request, endpoint, deps);
  } catch (error) {
    // An operator key costs no look into the database, so a right one is heard whoever else is at the address.
    if (endpoint.auth === 'OPERATOR') failedKeys.requireFew(request, () => false);
    failedKeys.note(request, error);
    throw error;
  }
}

async function readCaller(request: Request, { auth }: Endpoint, deps: Deps): Promise<Caller> {
  switch (auth) {
    case 'TENANT':
      return await readTenantCaller(request, deps);
    case 'PARTNER':
      refuseBeside(request, 'X-Partner-Api-Key', ['X-Api-Key', 'Authorization']);
      return await deps.authenticatePartner(credential(request, 'X-Partner-Api-Key'));
    case 'OPERATOR':
      return deps.authenticateOperator(credential(request, 'X-Operator-Key'));
    case 'NONE':
      return { kind: 'NONE' };
  }
}

/**
 * An API key or a user, by an access token or the cookie of a page. With two of them, or with the key of a partner, it would be
 * open who acts.
 */
async function readTenantCaller(request: Request, deps: Deps): Promise<TenantCaller> {
  refuseBeside(request, 'X-Api-Key', ['X-Partner-Api-Key']);
  const accessToken = bearerToken(request.get('Authorization'));
  const cookie = readPageCookie(deps.settings, request.get('Cookie'));
  const hasKey = request.get('X-Api-Key') !== undefined;
  if ([accessToken !== null, cookie !== null, hasKey].filter(Boolean).length > 1) throw severalCredentials();
  if (accessToken !== null) return await deps.authenticateUser.byAccessToken(accessToken);
  if (cookie === null) return await readKeyCaller(request, deps);
  requireOwnPage(request, deps.settings);
  return await deps.authenticateUser.byPageCookie(cookie);
}

function severalCredentials(): DomainError {
  return new DomainError(
    'unauthenticated',
    'Send X-Api-Key, Authorization or the cookie of a page, one of them alone.',
  );
}

async function readKeyCaller(request: Request, deps: Deps): Promise<TenantCaller> {
  const caller = await deps.authenticateTenant(credential(request, 'X-Api-Key'));
  if (mayUseKey(request, caller)) return caller;
  request.log.warn(
    { audit: 'API_KEY_ADDRESS_REFUSED', ...loggedCaller(caller) },
    'an API key was refused at an address that it is not for',
  );
  throw new DomainError('ip_not_allowed', 'This API key may not be used from this address.');
}

function mayUseKey(request: Request, caller: TenantCaller | undefined): boolean {
  return caller !== undefined && isAllowedFrom(caller.allowedIps ?? null, callerIp(request));
}

/** Throws unauthenticated for a request with another credential than the one that its path takes. */
function refuseBeside(request: Request, taken: string, others: readonly string[]): void {
  const other = others.find((header) => request.get(header) !== undefined);
  if (other === undefined) return;
  throw new DomainError(
    'unauthenticated',
    `This path takes ${taken}, and no ${other} beside or instead of it.`,
  );
}

/**
 * Returns the cached caller, if the endpoint can verify the key in its own statement. Not for a request with an
 * Idempotency-Key: replaying a stored answer writes nothing that could verify the key.
 */
function recalled(request: Request, endpoint: Endpoint, deps: Deps): Caller | undefined {
  if (!endpoint.checksKeyAtWrite || request.get('Idempotency-Key') !== undefined) return undefined;
  const caller = recall(request, deps);
  // A cached role that is too low may have been raised since, and a list of addresses changed: the key is read again.
  if (!caller || !mayUseKey(request, caller)) return undefined;
  return isPermitted(caller.role, endpoint.permission) ? caller : undefined;
}

function recall(request: Request, deps: Deps): TenantCaller | undefined {
  const others = ['Authorization', 'X-Partner-Api-Key'];
  const isAlone =
    others.every((header) => request.get(header) === undefined) &&
    readPageCookie(deps.settings, request.get('Cookie')) === null;
  const key = isAlone && request.get('X-Api-Key');
  return key ? deps.recallTenant(key) : undefined;
}

function credential(request: Request, header: string): string {
  const given = request.get(header);
  if (!given) throw new DomainError('unauthenticated', `Send your key in the header ${header}.`);
  return given;
}

function requirePermission(caller: Caller, permission: Permission): void {
  if (caller.kind !== 'TENANT' || isPermitted(caller.role, permission)) return;
  const roles = rolesWith(permission).join(' or ');
  throw new DomainError('forbidden', `This needs the role ${roles}; yours is ${caller.role}.`);
}
