import type { Transaction } from '@waybill/client';
import { detail, freshAddress, step, type DemoParty } from './demo-steps.ts';

/** Shows the sandbox: test VASPs that answer by themselves, and deadlines that end at once. */
export async function playSandbox(alpine: DemoParty, harbour: DemoParty): Promise<void> {
  step('Trials need no second business: test VASPs answer as their names say.');
  await showAnswer(alpine, await sendTo(alpine, 'Confirming Test VASP'), 'CONFIRMED');
  const addressed = await alpine.api.transactions.create(transfer(DECLINING_ADDRESS));
  await showAnswer(alpine, addressed, 'DECLINED');
  await showAnswer(alpine, await sendTo(alpine, 'Mismatching Test VASP'), 'DECLINED');
  await repair(alpine);
  await receive(harbour);
  await letTimePass(alpine);
}

/** The documented destination that leads to the declining test VASP, where a message names nobody. */
const DECLINING_ADDRESS = '0x7e57000000000000000000000000000000000002';

/** A transfer between customers of the two sides. */
const transfer = (destination = freshAddress()) => ({
  asset: 'ETH',
  amount: '0.25',
  blockchainInfo: {
    blockchain: 'Ethereum',
    destination,
    destinationType: 'CUSTODIAL' as const,
  },
  originator: { type: 'NATURAL' as const, name: 'Anna Keller', country: 'CH' },
  beneficiary: { type: 'NATURAL' as const, name: 'Jonas Brandt', country: 'DE' },
});

const sendTo = async (alpine: DemoParty, beneficiaryVaspName: string) =>
  await alpine.api.transactions.create({ ...transfer(), vaspInfo: { beneficiaryVaspName } });

async function showAnswer(alpine: DemoParty, { id, vaspInfo, blockchainInfo }: Transaction, status: string) {
  const { body } = await alpine.receiver.waitFor((transaction) => is(transaction, id, status));
  const why = body.statusReasoning === null ? '' : `, "${body.statusReasoning}"`;
  const to = vaspInfo.beneficiaryVaspName ?? `${blockchainInfo.destination}, which names nobody`;
  detail(`Message to ${to}: Alpine received ${body.status}${why}`);
}

/** A test VASP asks for data that the message lacks, and confirms once it has that. */
async function repair(alpine: DemoParty): Promise<void> {
  const { id } = await sendTo(alpine, 'Repairing Test VASP');
  const { body } = await alpine.receiver.waitFor(
    (transaction) => transaction.id === id && transaction.subStatus === 'DATA_REQUESTED',
  );
  detail(`Message to Repairing Test VASP: it asks for ${body.requestedFields.join(' and ')}`);
  await alpine.api.transactions.patch(id, {
    originator: { dateOfBirth: '1984-03-12', placeOfBirth: 'Chur' },
  });
  await alpine.receiver.waitFor((transaction) => is(transaction, id, 'CONFIRMED'));
  detail('PATCH gives them: the same message is CONFIRMED');
}

/** Requests a message from a test VASP. */
async function receive(harbour: DemoParty): Promise<void> {
  const { id, status, subStatus } = await harbour.api.sandbox.receive(transfer());
  detail(`POST /sandbox/incoming -> ${id}, INCOMING ${status}/${subStatus}`);
  await harbour.receiver.waitFor((transaction) => is(transaction, id, 'DELIVERED'));
  detail('Harbour received the webhook of that message');
}

/** Ends the ninety days of waiting for an answer at once. */
async function letTimePass(alpine: DemoParty): Promise<void> {
  const { id } = await sendTo(alpine, 'Silent Test VASP');
  await alpine.receiver.waitFor((transaction) => is(transaction, id, 'DELIVERED'));
  await alpine.api.sandbox.fireTransactionTimer(id);
  await alpine.receiver.waitFor((body) => body.id === id && body.subStatus === 'EXPIRED');
  detail(
    'Message to Silent Test VASP, then POST …/fire-timer ends the 90 days at once: Alpine received DELIVERED/EXPIRED',
  );
}

function is(body: Transaction, id: string, status: string): boolean {
  return body.id === id && body.status === status;
}
