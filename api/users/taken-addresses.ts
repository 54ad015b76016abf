import type { Database } from '../../db/database.ts';
import { countTry, requireTriesLeft, triesOf, type TryLimit } from '../../db/users/counted-tries.ts';
import { AddressTaken } from '../../db/users/insert-user.ts';

/** More requests than this could find out who has an account here. */
const TAKEN_ADDRESSES: TryLimit = {
  purpose: 'taken-addresses',
  max: 20,
  seconds: 86_400,
  refusal: 'Too many e-mail addresses that cannot be used were given today.',
};

/** The last of the requests of a tenant that make users, while one is under way. */
const lastOf = new Map<string, Promise<unknown>>();

/**
 * Makes a user of the tenant, and counts the e-mail addresses that somebody else has. The requests of a tenant run one after
 * the other in this process: those that run at once would all read the same count. Throws rate_limited.
 */
export async function makeUserInTurn<T>(
  db: Database,
  tenantId: string,
  makeUser: () => Promise<T>,
): Promise<T> {
  const taken = triesOf(db, TAKEN_ADDRESSES, tenantId);
  return await inTurn(tenantId, async () => {
    await requireTriesLeft(db.pool, taken, new Date());
    try {
      return await makeUser();
    } catch (error) {
      if (error instanceof AddressTaken) await countTry(db.pool, taken, new Date());
      throw error;
    }
  });
}

async function inTurn<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
  const mine = (lastOf.get(tenantId) ?? Promise.resolve()).then(work, work);
  lastOf.set(tenantId, mine);
  try {
    return await mine;
  } finally {
    if (lastOf.get(tenantId) === mine) lastOf.delete(tenantId);
  }
}
