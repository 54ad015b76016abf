import type pg from 'pg';
import { inTransaction } from '../postgres.ts';
import type { EventFault } from './event-report.ts';

/** Every row of five tables is read once, by its key where that still is there. */
const READ_LIMIT = '10min';

// A payload is named by the record that it was stored for. A row that was added may name any record, so every row counts
// and the payloads of one record are found by its events.
const DOUBLES = `
  select id, 'two records of one id' as fault from transactions
  where $1::uuid is null or id = $1 group by id having count(*) > 1
  union all
  select id, 'two records of one id' from verifications
  where $1::uuid is null or id = $1 group by id having count(*) > 1
  union all
  select id, 'two records of one id' from claims
  where $1::uuid is null or id = $1 group by id having count(*) > 1
  union
  select d.transaction_id, 'two rule decisions of one id' from rule_decisions d
  join (
    select id from rule_decisions
    where $1::uuid is null or id in (select id from rule_decisions where transaction_id = $1)
    group by id having count(*) > 1
  ) twice using (id)
  union
  select d.transaction_id, 'a rule decision of another tenant' from rule_decisions d join transactions t on t.id = d.transaction_id
  where ($1::uuid is null or d.transaction_id = $1) and d.tenant_id is distinct from t.tenant_id
  union
  select p.transaction_id, 'two payloads of one event' from payload_versions p
  join (
    select event_id from payload_versions
    where $1::uuid is null or event_id in (select id from events where subject_id = $1)
    group by event_id having count(*) > 1
  ) doubled using (event_id)
  order by id`;

/**
 * Finds records and rule decisions of one id, and stored payloads of one event, of which there are two: the owner of the tables can
 * drop their keys and add a row, of which the service and this command might read different ones. And decisions of another tenant
 * than their record's, which its tenant would not see.
 */
export async function findDoubles(pool: pg.Pool, only: string | undefined): Promise<EventFault[]> {
  return await inTransaction(pool, async (tx) => {
    await tx.query(`set local statement_timeout = '${READ_LIMIT}'`);
    const { rows } = await tx.query<EventFault>(DOUBLES, [only]);
    return rows;
  });
}
