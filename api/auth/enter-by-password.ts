import type { z } from 'zod';
import { inTransaction } from '../../db/postgres.ts';
import { isSuspended } from '../../db/tenants/require-active.ts';
import { countTry, forgetTries, type CountedTry } from '../../db/users/counted-tries.ts';
import { findUserByEmail, type UserWithPassword } from '../../db/users/find-user.ts';
import { tenantKnownFrom } from '../../db/users/note-address.ts';
import { DomainError } from '../../domain/errors.ts';
import { tenantSuspended } from '../../domain/tenants/suspended.ts';
import type { SignInBody } from '../../domain/users/schema.ts';
import { mayComeIn } from '../../domain/users/user.ts';
import type { Deps } from '../deps.ts';
import { auditRefusedEntry, entryOfUser } from './audit-sign-in.ts';
import { letIn, type EnteredSession } from './let-in.ts';
import { requireCode } from './require-code.ts';
import { codesOf, countSignIn, failuresOf } from './sign-in-limits.ts';

type Credentials = z.output<typeof SignInBody>;

/** The request by which somebody signs in, as the audit log names it. */
interface SignInRequest {
  operation: string;
  address: string;
  requestId: string;
}

interface PasswordEntry extends UserWithPassword {
  code: string | undefined;
  address: string;
  failures: CountedTry;
  request: SignInRequest;
  now: Date;
}

/**
 * Signs a user in by e-mail address, password and the code of a second factor. Throws unauthenticated, code_required,
 * tenant_suspended, rate_limited.
 */
export async function enterByPassword(
  deps: Deps,
  credentials: Credentials,
  request: SignInRequest,
): Promise<EnteredSession> {
  try {
    const entered = await enterInTurn(deps, credentials, request);
    deps.notifyWorkflows(entered.outbox);
    return entered;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const user = (await findUserByEmail(deps.db, credentials.email))?.user ?? null;
    await auditRefusedEntry(deps.audit, { user, error, request });
    throw error;
  }
}

async function enterInTurn(
  deps: Deps,
  { email, password, code }: Credentials,
  request: SignInRequest,
): Promise<EnteredSession> {
  const { db, passwords } = deps;
  const { address } = request;
  await countSignIn(db, { email, address }, new Date());
  const knownTenant = await tenantKnownFrom(db, { email, address });
  const enterNow = async () => {
    const now = new Date();
    const failures = failuresOf(db, { email, address });
    await countTry(db.pool, failures, now);
    const found = await findUserByEmail(db, email);
    const isRight = await passwords.matches(password, found?.passwordHash ?? null);
    if (!found || !isRight || !mayComeIn(found.user, now)) throw refused();
    // A right password is no failure, whatever the tenant's state.
    if (await isSuspended(db.pool, found.user.tenantId)) {
      await forgetTries(db.pool, failures);
      throw tenantSuspended();
    }
    return await enter(deps, { ...found, code, address, failures, request, now });
  };
  return knownTenant === null
    ? await passwords.inTurnOfStrangers(address, enterNow)
    : await passwords.inTurn(knownTenant, enterNow);
}

/** Lets a user in whose password was right. */
async function enter(
  { db, audit }: Deps,
  { failures, code, request, ...entry }: PasswordEntry,
): Promise<EnteredSession> {
  const { user, now } = entry;
  const codes = codesOf(db, user.id);
  // Outside of the transaction, which a wrong code rolls back.
  if (user.hasSecondFactor && code !== undefined) await countTry(db.pool, codes, now);
  const entered = await inTransaction(db.pool, async (tx) => {
    const inside = await letIn(db, tx, entry);
    if (!inside) return null;
    await requireCode(db, tx, { user, code, now });
    await forgetTries(tx, failures);
    if (user.hasSecondFactor) await forgetTries(tx, codes);
    await audit.write(entryOfUser(user, { ...request, status: 201 }), tx);
    return inside;
  });
  if (!entered) throw refused();
  return entered;
}

function refused(): DomainError {
  return new DomainError('unauthenticated', 'E-mail address and password do not belong together.');
}
