import type { DialogAct, ActValues } from '../act-dialog.ts';
import { send } from '../exchange.ts';
import { fieldWords, options } from '../words.ts';
import { patchTransaction, transactionAct, type Again } from './transaction-act.ts';
import type { Transaction } from './transaction-list.ts';

export function nameVasp(transaction: Transaction, again: Again): DialogAct {
  const { beneficiaryVaspName, beneficiaryVaspEmail } = transaction.vaspInfo;
  return transactionAct(transaction, again, {
    title: 'Name the VASP of the beneficiary',
    label: 'Route again',
    fields: [
      { name: 'name', label: 'Name', kind: 'text', value: beneficiaryVaspName ?? '' },
      { name: 'email', label: 'E-mail of its compliance', kind: 'email', value: beneficiaryVaspEmail ?? '' },
      {
        name: 'travelAddress',
        label: 'Travel address',
        kind: 'text',
        hint: 'Begins with ta. It is tried first.',
      },
    ],
    run: async (values) => {
      await patchTransaction(transaction, { vaspInfo: routingOf(values) });
      return 'The message is routed again.';
    },
  });
}

function routingOf({ name, email, travelAddress }: ActValues) {
  return {
    ...(name && { beneficiaryVaspName: name.trim() }),
    ...(email && { beneficiaryVaspEmail: email.trim() }),
    ...(travelAddress && { beneficiaryTravelAddress: travelAddress.trim() }),
  };
}

export function provideData(transaction: Transaction, again: Again): DialogAct {
  const { requestedFields, requestReason } = transaction;
  return transactionAct(transaction, again, {
    title: 'Provide the data that the beneficiary’s VASP asks for',
    label: 'Send',
    explanation: requestReason ?? 'The VASP gave no reason.',
    fields: requestedFields.map((name) => ({
      name,
      label: fieldWords(name),
      kind: name === 'originator.dateOfBirth' ? 'date' : 'text',
      isRequired: true,
    })),
    run: async (values) => {
      await patchTransaction(transaction, givenFields(values));
      return 'The data is sent.';
    },
  });
}

/** `{'originator.name': 'Anna'}` as the body of a PATCH. */
function givenFields(values: ActValues): Record<string, Record<string, string>> {
  const body: Record<string, Record<string, string>> = {};
  for (const [path, value] of Object.entries(values)) {
    const [owner = '', field = ''] = path.split('.');
    if (value.trim() !== '') body[owner] = { ...body[owner], [field]: value.trim() };
  }
  return body;
}

export function retry(transaction: Transaction, again: Again): DialogAct {
  return transactionAct(transaction, again, {
    title: 'Try to deliver it again',
    label: 'Try again',
    fields: [],
    run: async () => {
      await send('POST', '/transactions/{id}/retry', { path: { id: transaction.id } });
      return 'It is tried again.';
    },
  });
}

export function addHash(transaction: Transaction, again: Again): DialogAct {
  return transactionAct(transaction, again, {
    title: 'Add the transaction hash',
    label: 'Add',
    fields: [{ name: 'hash', label: 'Transaction hash', kind: 'text', isRequired: true }],
    run: async ({ hash = '' }) => {
      await patchTransaction(transaction, { transactionHash: hash.trim() });
      return 'The hash is added.';
    },
  });
}

const ASKABLE = [
  'originator.name',
  'originator.accountNumber',
  'originator.address',
  'originator.country',
  'originator.nationalIdentificator',
  'originator.customerIdentification',
  'originator.dateOfBirth',
  'originator.placeOfBirth',
  'originator.lei',
  'beneficiary.name',
  'beneficiary.accountNumber',
  'blockchainInfo.origin',
] as const;

export function askForData(transaction: Transaction, again: Again): DialogAct {
  return transactionAct(transaction, again, {
    title: 'Ask the sender’s VASP for data',
    label: 'Ask',
    fields: [
      ...ASKABLE.map((name) => ({ name, label: fieldWords(name), kind: 'check' as const })),
      { name: 'reason', label: 'Reason', kind: 'long', hint: 'The VASP sees it.' },
    ],
    run: async (values) => {
      const fields = ASKABLE.filter((name) => values[name] === 'true');
      const reason = values['reason']?.trim() ?? '';
      const body = { fields, ...(reason !== '' && { reason }) };
      await send('POST', '/transactions/{id}/repair', { path: { id: transaction.id }, body });
      return 'The VASP is asked.';
    },
  });
}

const DISPOSITIONS = ['CREDITED', 'SUSPENDED', 'RETURNED', 'REJECTED'] as const;

export function dispose(transaction: Transaction, again: Again): DialogAct {
  return transactionAct(transaction, again, {
    title: 'What became of the coins',
    label: 'Record',
    fields: [
      {
        name: 'what',
        label: 'The coins were',
        kind: 'choice',
        isRequired: true,
        value: 'SUSPENDED',
        options: options(DISPOSITIONS),
      },
      { name: 'hash', label: 'Hash of the transfer back', kind: 'text', hint: 'If they were returned.' },
    ],
    run: async ({ what, hash = '' }) => {
      const assetsDisposition = DISPOSITIONS.find((known) => known === what) ?? 'SUSPENDED';
      const body = { assetsDisposition, ...(hash.trim() !== '' && { returnTransactionHash: hash.trim() }) };
      await send('POST', '/transactions/{id}/assets-disposition', { path: { id: transaction.id }, body });
      return 'It is recorded.';
    },
  });
}

export function note(transaction: Transaction, again: Again): DialogAct {
  return transactionAct(transaction, again, {
    title: 'Internal note',
    label: 'Save',
    explanation: 'Never leaves your company.',
    fields: [{ name: 'note', label: 'Note', kind: 'long', value: transaction.internalNote ?? '' }],
    run: async ({ note: internalNote = '' }) => {
      await patchTransaction(transaction, { internalNote: internalNote.trim() === '' ? null : internalNote });
      return 'The note is saved.';
    },
  });
}
