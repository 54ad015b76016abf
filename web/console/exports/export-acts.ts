import type { ActValues, DialogAct } from '../act-dialog.ts';
import type { BodyOf } from '../api-types.ts';
import { send } from '../exchange.ts';
import { options } from '../words.ts';

const RESOURCES = ['transactions', 'claims', 'wallets', 'verifications', 'screenings', 'audit'] as const;
const FORMATS = ['CSV', 'JSON', 'IVMS101'] as const;
const PURPOSES = [
  { value: 'AUTHORITY', label: 'An authority: everything that is known' },
  { value: 'DATA_SUBJECT', label: 'The customer: their own data alone' },
] as const;

type ExportBody = BodyOf<'POST', '/exports'>;

/** Copies the records of a period into a file. */
export function exportRecords(again: () => void): DialogAct {
  return {
    key: 'export',
    title: 'Export records',
    explanation: 'The file is made in the background and kept for seven days. What is sealed stays sealed.',
    label: 'Export',
    fields: [
      {
        name: 'resource',
        label: 'What',
        kind: 'choice',
        isRequired: true,
        value: 'transactions',
        options: options(RESOURCES),
      },
      {
        name: 'format',
        label: 'Format',
        kind: 'choice',
        isRequired: true,
        value: 'CSV',
        options: FORMATS.map((value) => ({ value, label: value })),
        hint: 'IVMS101 for transactions alone.',
      },
      { name: 'from', label: 'From', kind: 'date' },
      { name: 'until', label: 'To, included', kind: 'date' },
      { name: 'purpose', label: 'What the copy is for', kind: 'long', isRequired: true, maxLength: 500 },
    ],
    run: async (values) => await ask(bodyOf(values), again),
  };
}

/** Copies all records of one customer into a file. */
export function exportDossier(again: () => void): DialogAct {
  return {
    key: 'dossier',
    title: 'Dossier of a customer',
    explanation:
      'All records of one customer in one file. What goes to the customer leaves out screenings, rules, holds, reasons, notes and other persons.',
    label: 'Make the dossier',
    fields: [
      {
        name: 'customer',
        label: 'Customer identification',
        kind: 'text',
        isRequired: true,
        hint: 'As your own systems name the customer.',
      },
      { name: 'purpose', label: 'For whom', kind: 'choice', isRequired: true, options: PURPOSES },
    ],
    run: async ({ customer = '', purpose: chosen }) => {
      const purpose = PURPOSES.find(({ value }) => value === chosen)?.value ?? 'DATA_SUBJECT';
      const filter = { customerIdentification: customer.trim() };
      return await ask({ resource: 'dossier', filter, format: 'JSON', purpose }, again);
    },
  };
}

function bodyOf({ resource, format, from = '', until = '', purpose = '' }: ActValues): ExportBody {
  return {
    resource,
    format,
    filter: {
      ...(from !== '' && { from: `${from}T00:00:00Z` }),
      ...(until !== '' && { until: dayAfter(until) }),
    },
    purpose: purpose.trim(),
  } as ExportBody;
}

/** The first moment after a day, since the end of a period is not part of it. */
function dayAfter(day: string): string {
  const next = new Date(`${day}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString();
}

async function ask(body: ExportBody, again: () => void): Promise<string> {
  await send('POST', '/exports', { body });
  again();
  return 'The file is being made.';
}
