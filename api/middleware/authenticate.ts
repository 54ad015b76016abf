import type { Request, RequestHandler } from 'express';
import { DomainError } from '../../domain/errors.ts';
import { roleAllows, type Role } from '../../domain/tenants/role.ts';
import type { Caller, Deps } from '../deps.ts';
import type { Endpoint } from '../endpoint.ts';

/** Finds out who is asking and whether their role reaches for this endpoint. */
export function authenticate(endpoint: Endpoint, deps: Deps): RequestHandler {
  return async (request, response, next) => {
    const caller = await callerOf(request, endpoint, deps);
    response.locals.caller = caller;
    requireRole(caller, endpoint.role);
    next();
  };
}

async function callerOf(request: Request, { auth }: Endpoint, deps: Deps): Promise<Caller> {
  switch (auth) {
    case 'TENANT':
      return deps.authenticateTenant(credential(request, 'X-Api-Key'));
    case 'OPERATOR':
      return deps.authenticateOperator(credential(request, 'X-Operator-Key'));
    case 'NONE':
      return { kind: 'NONE' };
  }
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
