import type { Counterparty } from './counterparty.ts';

type Cell = string | number | null;

/** The columns of the report on counterparties, with what each shows. */
const COLUMNS: readonly [name: string, cell: (of: Counterparty) => Cell][] = [
  ['entityId', (of) => of.entityId],
  ['name', (of) => of.entity.name],
  ['legalName', (of) => of.entity.legalName],
  ['countries', (of) => of.entity.countries.join(';')],
  ['policy', (of) => of.policy],
  ['dueDiligenceAt', (of) => of.dueDiligenceAt],
  ['nextReviewAt', (of) => of.nextReviewAt],
  ['sent', (of) => of.sent],
  ['answered', (of) => of.answered],
  ['late', (of) => of.late],
  ['medianAnswerHours', (of) => of.medianAnswerHours],
  ['p95AnswerHours', (of) => of.p95AnswerHours],
  ['received', (of) => of.received],
  ['incomplete', (of) => of.incomplete],
  ['claimsUnanswered', (of) => of.claimsUnanswered],
  ['recentFailures', (of) => of.recentFailures],
  ['suspended', (of) => of.suspended],
  ['returned', (of) => of.returned],
  ['rejected', (of) => of.rejected],
  ['warnings', (of) => of.warnings.join(';')],
  ['steps', (of) => of.steps.map(({ kind, takenAt }) => `${kind} ${takenAt.slice(0, 10)}`).join(';')],
];

export const COUNTERPARTY_COLUMNS = COLUMNS.map(([name]) => name);

/** The cells of one counterparty. The notes about it are not among them. */
export function counterpartyCells(counterparty: Counterparty): Cell[] {
  return COLUMNS.map(([, cell]) => cell(counterparty));
}
