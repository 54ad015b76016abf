import type { OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { wake } from './wake.ts';

/** A tenant that can be reached again, and the folded names that lead to it. */
interface ReachableTenant {
  tenantId: string;
  vaspsFolded: readonly string[];
}

const IS_UNREACHABLE = (t: string) =>
  `${t}.routing_fault = 'VASP_NOT_REACHABLE' and ${t}.status = 'PENDING' and ${t}.deleted_at is null`;

// By the name in the message, or by a wallet that the tenant holds. Where neither leads to the tenant in the end, the
// message is only tried once more.
const WAITS = `
  t.id in (
    select o.id from transactions o where ${IS_UNREACHABLE('o')} and o.tenant_id <> $2
      and (o.beneficiary_vasp_folded = any($3::text[]) or exists (
        select from wallets w where w.tenant_id = $2 and w.address_normal = o.destination_normal))
  ) and ${IS_UNREACHABLE('t')}`;

/** Tries all messages at once that could not reach a tenant; they are screened again before. */
export async function wakeUnreachable(
  tx: Queryable,
  { tenantId, vaspsFolded }: ReachableTenant,
  now: Date,
): Promise<OutboxEntry[]> {
  const values = [tenantId, vaspsFolded];
  return await wake(tx, { where: WAITS, values }, { screenAgain: 'UNLESS_REVIEWED', now });
}
