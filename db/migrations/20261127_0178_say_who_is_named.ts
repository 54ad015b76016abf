// Why: a deposit may name an originator VASP that is not in the directory. Its name is sealed, so that the reconciliation took
// such a deposit for one that names nobody, and the answer of another VASP for that of its own. Rows of before have null, and are
// taken as before until their next change. The version before runs on this schema.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw('alter table transactions add column names_originator_vasp boolean');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('alter table transactions drop column names_originator_vasp');
}
