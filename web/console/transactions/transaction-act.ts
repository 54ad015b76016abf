import type { Schemas } from '../api-types.ts';
import type { DialogAct } from '../act-dialog.ts';
import { send } from '../exchange.ts';
import { amountText, counterpartyName, type Transaction } from './transaction-list.ts';

export type Again = () => void;

/** The parts that all acts on a transaction have. `again` reads it anew. */
export function transactionAct(
  transaction: Transaction,
  again: Again,
  rest: Pick<DialogAct, 'title' | 'label' | 'fields' | 'run'> & Partial<DialogAct>,
): DialogAct {
  const { run } = rest;
  return {
    explanation: `${amountText(transaction)}, ${counterpartyName(transaction) ?? 'counterparty unknown'}`,
    onConflict: again,
    ...rest,
    key: `${rest.title}/${transaction.id}`,
    run: async (values) => {
      const told = await run(values);
      again();
      return told;
    },
  };
}

export async function patchTransaction(
  { id }: Transaction,
  body: Schemas['PatchTransaction'],
): Promise<void> {
  await send('PATCH', '/transactions/{id}', { path: { id }, body });
}
