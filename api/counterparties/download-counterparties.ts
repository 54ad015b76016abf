import { stringify } from 'csv-stringify/sync';
import type { Database } from '../../db/database.ts';
import { listCounterparties } from '../../db/counterparties/list-counterparties.ts';
import { COUNTERPARTY_COLUMNS, counterpartyCells } from '../../domain/entities/counterparty-csv.ts';
import {
  ListCounterpartiesQuery,
  viewCounterparty,
  type Counterparty,
} from '../../domain/entities/counterparty.ts';
import { defineEndpoint } from '../endpoint.ts';

/** Descriptions of the headers. */
const HEADERS = {
  'Content-Type': 'Always `text/csv; charset=utf-8`.',
  'Content-Disposition': 'Always an attachment; the file name has the day.',
};
const PAGE = 100;

export const downloadCounterpartiesEndpoint = defineEndpoint({
  operationId: 'downloadCounterparties',
  method: 'GET',
  path: '/counterparties/report',
  auth: 'TENANT',
  permission: 'EXPORT',
  limit: 'READS',
  tag: 'Entities',
  summary: 'Download the register of counterparties',
  description:
    'Everything of `GET /counterparties` but notes, as CSV in UTF-8 (RFC 4180) with a header, by name. Several values of a cell ' +
    'are joined by `;`. A cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return has an apostrophe in front, so that no ' +
    'spreadsheet takes it for a formula.',
  responses: { 200: { description: 'The file.', contentType: 'text/csv', headers: HEADERS } },
  errors: [],
  async handle({ caller: { tenantId } }, { db }) {
    const now = new Date();
    const rows = (await allCounterparties(db, tenantId, now)).map(counterpartyCells);
    // Without `quoted_match` a line feed alone would not be quoted, since lines end with CR LF.
    const text = stringify([COUNTERPARTY_COLUMNS, ...rows], {
      record_delimiter: 'windows',
      quoted_match: /[\r\n]/,
      escape_formulas: true,
    });
    const day = now.toISOString().slice(0, 10);
    return {
      status: 200,
      body: Buffer.from(text),
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="counterparties-${day}.csv"`,
      },
    };
  },
});

/** All of them, page by page. */
async function allCounterparties(db: Database, tenantId: string, now: Date): Promise<Counterparty[]> {
  const found: Counterparty[] = [];
  for (let start = 0; ; start += PAGE) {
    const page = ListCounterpartiesQuery.parse({ _start: start, _end: start + PAGE, _sort: 'name' });
    const { items } = await listCounterparties(db, { tenantId, now }, { ...page, wantsCount: false });
    found.push(...items.map((counterparty) => viewCounterparty(counterparty, now)));
    if (items.length < PAGE) return found;
  }
}
