import { arrayParameter, insertSql, unnestRows } from '../columns.ts';
import { deltasSql } from '../statistics/deltas.ts';
import { countedColumns, VERIFICATIONS } from '../statistics/measures.ts';
import { verificationTable } from './row.ts';

const { columns, updateColumns, setList } = verificationTable;

/** SQL: stores new rows, `written`, and how they change the statistics; the parameters are the table's columns. */
export const INSERTED_ROWS = `
  written as (${insertSql('verifications', columns)} returning ${countedColumns(VERIFICATIONS)}),
  counted as (${deltasSql(VERIFICATIONS, { added: 'written' })})`;

/**
 * SQL: changes locked rows, `written`, and stores how that changes the statistics; the parameters are the columns that an
 * update writes. Compares and sets the version: a record that was changed without its lock makes this fail instead of being
 * overwritten.
 */
export const UPDATED_ROWS = `
  before as materialized (
    select ${countedColumns(VERIFICATIONS)} from verifications
    where id = any(${arrayParameter(updateColumns, 'id')}) and tenant_id = any(${arrayParameter(updateColumns, 'tenant_id')})
  ), written as (
    update verifications t set ${setList} from ${unnestRows(updateColumns)}
    where t.id = r.id and t.tenant_id = r.tenant_id and t.version = r.version - 1
    returning ${countedColumns(VERIFICATIONS, 't')}
  ), counted as (${deltasSql(VERIFICATIONS, { added: 'written', removed: 'before' })})`;
