import type { Request, RequestHandler } from 'express';
import { isAllowedFrom } from '../../domain/api-keys/allowed-ips.ts';
import { DomainError } from '../../domain/errors.ts';
import { isPermitted, rolesWith, type Permission } from '../../domain/tenants/role.ts';
import { loggedCaller, type Caller, type TenantCaller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { onlyCredential, readCredentials, type Credential } from '../credentials.ts';
import type { Endpoint } from '../endpoint.ts';
import { callerIp } from './caller-address.ts';
import { requireOwnPage } from '../page-cookie.ts';
import type { FailedKeys } from './failed-keys.ts';

/**
 * Authenticates the caller and checks what its role permits. An address that sends too many requests without a valid key is heard
 * only with what made-up keys cannot imitate: API keys and keys of partners that were valid within the last minute, tokens and
 * cookies that this deployment has signed, and the operators' keys. Throws unauthenticated, forbidden, ip_not_allowed,
 * rate_limited and what the API key is refused with.
 */
export function authenticate(endpoint: Endpoint, deps: Deps, failedKeys: FailedKeys): RequestHandler {
  return async (request, response, next) => {
    const given = readCredentials(request, deps.settings);
    const caller =
      recalled(request, endpoint, { given, deps }) ??
      (await readGuarded(request, endpoint, { given, deps, failedKeys }));
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
  const caller = await readCaller(request, endpoint, {
    given: readCredentials(request, deps.settings),
    deps,
  });
  requirePermission(caller, endpoint.permission);
  return caller;
}

interface Asked {
  given: readonly Credential[];
  deps: Deps;
}

async function readGuarded(
  request: Request,
  endpoint: Endpoint,
  { failedKeys, ...asked }: Asked & { failedKeys: FailedKeys },
): Promise<Caller> {
  const { auth } = endpoint;
  if (auth === 'PARTNER' || auth === 'TENANT') {
    await failedKeys.requireFew(request, async () => await isKnown(request, asked));
  }
  try {
    return await readCaller(request, endpoint, asked);
  } catch (error) {
    // An operator key costs no look into the database, so a right one is heard whoever else is at the address.
    if (auth === 'OPERATOR') await failedKeys.requireFew(request, () => false);
    failedKeys.note(request, error);
    throw error;
  }
}

/** Whether somebody who invents keys cannot have sent this request. Asks no database. */
async function isKnown(request: Request, { given, deps }: Asked): Promise<boolean> {
  const [credential] = given;
  if (!credential || given.length > 1) return false;
  const { text } = credential;
  switch (credential.kind) {
    case 'API_KEY':
      return mayUseKey(request, deps.recallTenant(text));
    case 'ACCESS_TOKEN':
      return await deps.authenticateUser.isOwnToken(text);
    case 'PAGE_COOKIE':
      return await deps.authenticateUser.isOwnCookie(text);
    case 'PARTNER_KEY':
      return deps.partners.isRecent(text);
    case 'OPERATOR_KEY':
      return false;
  }
}

async function readCaller(request: Request, { auth }: Endpoint, { given, deps }: Asked): Promise<Caller> {
  if (auth === 'NONE') return { kind: 'NONE' };
  const { kind, text } = onlyCredential(given, auth);
  switch (kind) {
    case 'API_KEY':
      return await readKeyCaller(request, text, deps);
    case 'ACCESS_TOKEN':
      return await deps.authenticateUser.byAccessToken(text);
    case 'PAGE_COOKIE':
      requireOwnPage(request, deps.settings);
      return await deps.authenticateUser.byPageCookie(text);
    case 'PARTNER_KEY':
      return await deps.partners.authenticate(text);
    case 'OPERATOR_KEY':
      return deps.authenticateOperator(text);
  }
}

async function readKeyCaller(request: Request, key: string, deps: Deps): Promise<TenantCaller> {
  const caller = await deps.authenticateTenant(key);
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

/**
 * Returns the cached caller, if the endpoint can verify the key in its own statement. Not for a request with an
 * Idempotency-Key: replaying a stored answer writes nothing that could verify the key.
 */
function recalled(request: Request, endpoint: Endpoint, { given, deps }: Asked): Caller | undefined {
  if (!endpoint.checksKeyAtWrite || request.get('Idempotency-Key') !== undefined) return undefined;
  const [credential, another] = given;
  if (another || credential?.kind !== 'API_KEY') return undefined;
  const caller = deps.recallTenant(credential.text);
  // A cached role that is too low may have been raised since, and a list of addresses changed: the key is read again.
  if (!caller || !mayUseKey(request, caller)) return undefined;
  return isPermitted(caller.role, endpoint.permission) ? caller : undefined;
}

function requirePermission(caller: Caller, permission: Permission): void {
  if (caller.kind !== 'TENANT' || isPermitted(caller.role, permission)) return;
  const roles = rolesWith(permission).join(' or ');
  throw new DomainError('forbidden', `This needs the role ${roles}; yours is ${caller.role}.`);
}
