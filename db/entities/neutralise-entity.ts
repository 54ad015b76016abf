import { estimateRisk } from '../../domain/entities/risk.ts';
import { foldName } from '../../domain/fold.ts';
import type { OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { lockNames } from '../routes/name-lock.ts';
import { lockEntities } from './lock-entities.ts';
import { foldedNames, wakeNamed } from './wake-named.ts';

/** How the entry of a tenant that was erased is shown to those who refer to it. */
const ERASED_NAME = 'Erased VASP';

/**
 * Takes everything from the entry of a tenant that says who it was: transactions and counterparties of others refer to it, so it
 * stays, but no name leads to it. An entry that came from a source of the directory comes back whole when that is imported again.
 * Messages that wait for one of its names are routed again.
 */
export async function neutraliseEntity(tx: Queryable, id: string, now: Date): Promise<OutboxEntry[]> {
  await lockEntities(tx, [id]);
  const formerNames = await foldedNames(tx, [id]);
  await lockNames(tx, formerNames, [id]);
  const { riskScore, riskSeverity } = estimateRisk({ type: 'service', countries: [], inNetwork: false });
  await tx.query(
    `update entities set name = $2, name_folded = $3, legal_name = null, aliases = '{}', type = 'service', countries = '{}',
       webpage = null, email = null, email_domains = '{}', lei = null, registration_number = null, travel_address = null,
       in_network = false, networks = '{}', risk_score = $4, risk_severity = $5, risk_assessed_at = null, edited_at = null,
       updated_at = $6
     where id = $1`,
    [id, ERASED_NAME, foldName(ERASED_NAME), riskScore, riskSeverity, now],
  );
  await tx.query('delete from entity_names where entity_id = $1', [id]);
  await tx.query('update entities set master_entity_id = null, updated_at = $2 where master_entity_id = $1', [
    id,
    now,
  ]);
  return await wakeNamed(tx, { ids: [id], formerNames }, now);
}
