import type { Request, RequestHandler } from 'express';
import { DomainError } from '../../domain/errors.ts';
import { roleAllows, type Role } from '../../domain/tenants/role.ts';
import type { Caller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import type { Endpoint } from '../endpoint.ts';

/** Finds out who is asking and whether their role reaches for this endpoint. */
export function authenticate(endpoint: Endpoint, deps: Deps): RequestHandler {
  return async (request, response, next) => {
    const caller = recalled(request, endpoint, deps) ?? (await readCaller(request, endpoint, deps));
    response.locals.caller = caller;
    requireRole(caller, endpoint.role);
    next();
  };
}

/** As `authenticate`, for a request whose caller was remembered: reads what the key is now. */
export async function authenticateAgain(request: Request, endpoint: Endpoint, deps: Deps): Promise<Caller> {
  const caller = await readCaller(request, endpoint, deps);
  requireRole(caller, endpoint.role);
  return caller;
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

/** An answer that was kept under an Idempotency-Key is given without a write, so the key has to be read for it. */
function recalled(request: Request, endpoint: Endpoint, deps: Deps): Caller | undefined {
  if (!endpoint.checksKeyAtWrite || request.get('Idempotency-Key') !== undefined) return undefined;
  const caller = deps.recallTenant(credential(request, 'X-Api-Key'));
  // A role that does not reach that far may have been changed since.
  return caller && roleAllows(caller.role, endpoint.role) ? caller : undefined;
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
