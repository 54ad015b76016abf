import type { Transaction } from '@waybill/client';
import { detail, freshAddress, step, type DemoParty } from './demo-steps.ts';

/** Shows the sandbox: test VASPs that answer by themselves, and deadlines that end at once. */
export async function playSandbox(alpine: DemoParty, harbour: DemoParty): Promise<void> {
  step('Trials need no second business: three test VASPs answer as their names say.');
  await showAnswer(alpine, 'Confirming Test VASP', 'CONFIRMED');
  await showAnswer(alpine, 'Declining Test VASP', 'DECLINED');
  await receive(harbour);
  await letTimePass(alpine);
}

/** A transfer between customers of the two sides. */
const transfer = () => ({
  asset: 'ETH',
  amount: '0.25',
  blockchainInfo: {
    blockchain: 'Ethereum',
    destination: freshAddress(),
    destinationType: 'CUSTODIAL' as const,
  },
  originator: { type: 'NATURAL' as const, name: 'Anna Keller', country: 'CH' },
  beneficiary: { type: 'NATURAL' as const, name: 'Jonas Brandt', country: 'DE' },
});

const sendTo = async (alpine: DemoParty, beneficiaryVaspName: string) =>
  await alpine.api.transactions.create({ ...transfer(), vaspInfo: { beneficiaryVaspName } });

async function showAnswer(alpine: DemoParty, vasp: string, status: string): Promise<void> {
  const { id } = await sendTo(alpine, vasp);
  const { body } = await alpine.receiver.waitFor((transaction) => is(transaction, id, status));
  const why = body.statusReasoning === null ? '' : `, "${body.statusReasoning}"`;
  detail(`Message to ${vasp}: Alpine received ${body.status}${why}`);
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
