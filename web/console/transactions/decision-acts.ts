import type { DialogAct, ActField } from '../act-dialog.ts';
import { send } from '../exchange.ts';
import { options } from '../words.ts';
import { patchTransaction, transactionAct, type Again } from './transaction-act.ts';
import type { Transaction } from './transaction-list.ts';

const REASON: ActField = {
  name: 'reason',
  label: 'Reason',
  kind: 'long',
  isRequired: true,
  hint: 'Stays in your own records: the counterparty and the customer never see it.',
};

const REASON_CODES = [
  'UNKNOWN_ADDRESS',
  'NAME_MISMATCH',
  'MISSING_DATA',
  'INCOMPLETE_IDENTITY',
  'UNSUPPORTED_ASSET',
  'COMPLIANCE',
  'WRONG_VASP',
  'OTHER',
] as const;

export function review(transaction: Transaction, decision: 'PROCEED' | 'BLOCK', again: Again): DialogAct {
  const { id, version } = transaction;
  const isBlock = decision === 'BLOCK';
  return transactionAct(transaction, again, {
    title: isBlock ? 'Block this transaction' : 'Let this transaction proceed',
    label: isBlock ? 'Block' : 'Proceed',
    isDanger: isBlock,
    fields: [REASON],
    run: async ({ reason = '' }) => {
      const path = { id };
      const answer = await send('POST', '/transactions/{id}/review', {
        path,
        body: { decision, reason, version },
      });
      if (answer.proposal) return 'Proposed. A second person has to agree.';
      return isBlock ? 'The transaction is blocked.' : 'The transaction proceeds.';
    },
  });
}

export function confirmWallet(transaction: Transaction, again: Again): DialogAct {
  const { destination, destinationWalletId } = transaction.blockchainInfo;
  return transactionAct(transaction, again, {
    title: 'Confirm that the wallet is ours',
    label: 'Confirm',
    explanation: `${destination} becomes a wallet of yours. The message is shown then, and you decide on it.`,
    fields: [],
    run: async () => {
      if (destinationWalletId !== null) await send('PATCH', '/wallets', { body: [destinationWalletId] });
      return 'The wallet is confirmed.';
    },
  });
}

export function decline(transaction: Transaction, again: Again): DialogAct {
  return transactionAct(transaction, again, {
    title: 'Decline this message',
    label: 'Decline',
    isDanger: true,
    fields: [
      {
        name: 'code',
        label: 'What the sender is told',
        kind: 'choice',
        isRequired: true,
        value: 'UNKNOWN_ADDRESS',
        options: options(REASON_CODES),
      },
      { name: 'reasoning', label: 'Explanation for the sender', kind: 'long' },
    ],
    run: async ({ code, reasoning = '' }) => {
      const statusReasonCode = REASON_CODES.find((known) => known === code) ?? 'OTHER';
      const text = reasoning.trim() === '' ? {} : { statusReasoning: reasoning.trim() };
      await patchTransaction(transaction, { status: 'DECLINED', statusReasonCode, ...text });
      return 'The message is declined.';
    },
  });
}

export function cancel(transaction: Transaction, again: Again): DialogAct {
  return transactionAct(transaction, again, {
    title: 'Cancel this transaction',
    label: 'Cancel the transaction',
    isDanger: true,
    fields: [{ ...REASON, hint: 'Goes to the counterparty, if the message has reached one.' }],
    run: async ({ reason = '' }) => {
      await patchTransaction(transaction, { status: 'CANCELLED', statusReasoning: reason });
      return 'The transaction is cancelled.';
    },
  });
}
