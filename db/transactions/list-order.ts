import type { TransactionList } from '../../domain/transactions/viewing/list.ts';

const SORT_COLUMNS: Record<TransactionList['sort'], string> = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  amount: 'amount',
  amountUsd: 'amount_usd',
  amountEur: 'amount_eur',
  asset: 'asset',
  status: 'status',
  direction: 'direction',
};

/** The column that a list is sorted by, and its whole `order by`: one order, ties broken by id. */
export function listOrder({ sort, order }: TransactionList): { column: string; orderBy: string } {
  const column = SORT_COLUMNS[sort];
  // Said only where it matters: with it the index of a column that is never null would not fit.
  const nulls = column.startsWith('amount') ? ' nulls last' : '';
  return { column, orderBy: `${column} ${order}${nulls}, id ${order}` };
}
