// Why: in this field an exchange is a VASP and a gate is nothing; the columns say what they hold. The version before
// cannot run on this schema: stop api and worker for the upgrade.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table transactions rename column exchange_id to pair_id;
    alter table exchanges rename to message_pairs;
    alter table transactions rename column gate to screening_state;
    alter table transactions rename column gate_since to screening_due_since;
    alter table transactions drop constraint transactions_gate_check;
    update transactions set screening_state = case screening_state when 'OPEN' then 'CLEARED' else 'REVIEWED' end
      where screening_state in ('OPEN', 'RELEASED');
    alter table transactions add constraint transactions_screening_state_check
      check (screening_state in ('DUE', 'CLEARED', 'REVIEWED', 'RECHECK'));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table transactions drop constraint transactions_screening_state_check;
    update transactions set screening_state = case screening_state when 'CLEARED' then 'OPEN' else 'RELEASED' end
      where screening_state in ('CLEARED', 'REVIEWED');
    alter table transactions add constraint transactions_gate_check
      check (screening_state in ('DUE', 'OPEN', 'RELEASED', 'RECHECK'));
    alter table transactions rename column screening_due_since to gate_since;
    alter table transactions rename column screening_state to gate;
    alter table message_pairs rename to exchanges;
    alter table transactions rename column pair_id to exchange_id;
  `);
}
