import { detail, freshAddress, step, type DemoParty } from './demo-steps.ts';

interface Answer {
  id: string;
  status: string;
  subStatus: string | null;
}

/** Shows the sandbox: test VASPs that answer by themselves, and deadlines that end at once. */
export async function playSandbox(alpine: DemoParty, harbour: DemoParty): Promise<void> {
  step('Trials need no second business: three test VASPs answer as their names say.');
  await showAnswer(alpine, 'Confirming Test VASP', 'CONFIRMED');
  await showAnswer(alpine, 'Declining Test VASP', 'DECLINED');
  await receive(harbour);
  await letTimePass(alpine);
}

/** A transfer between customers of the two sides. */
const transfer = (vaspInfo?: Record<string, string>) => ({
  asset: 'ETH',
  amount: '0.25',
  blockchainInfo: { blockchain: 'Ethereum', destination: freshAddress(), destinationType: 'CUSTODIAL' },
  ...(vaspInfo && { vaspInfo }),
  originator: { type: 'NATURAL', name: 'Anna Keller', country: 'CH' },
  beneficiary: { type: 'NATURAL', name: 'Jonas Brandt', country: 'DE' },
});

const sendTo = async (alpine: DemoParty, beneficiaryVaspName: string) =>
  await alpine.api.post<Answer>('/transactions', transfer({ beneficiaryVaspName }));

async function showAnswer(alpine: DemoParty, vasp: string, status: string): Promise<void> {
  const { id } = await sendTo(alpine, vasp);
  const { body } = await alpine.receiver.waitFor((webhook) => is(webhook.body, id, status));
  const why = typeof body['statusReasoning'] === 'string' ? `, "${body['statusReasoning']}"` : '';
  detail(`Message to ${vasp}: Alpine received ${body.status}${why}`);
}

/** Requests a message from a test VASP. */
async function receive(harbour: DemoParty): Promise<void> {
  const { id, status, subStatus } = await harbour.api.post<Answer>('/sandbox/incoming', transfer());
  detail(`POST /sandbox/incoming -> ${id}, INCOMING ${status}/${subStatus}`);
  await harbour.receiver.waitFor((webhook) => is(webhook.body, id, 'DELIVERED'));
  detail('Harbour received the webhook of that message');
}

/** Ends the ninety days of waiting for an answer at once. */
async function letTimePass(alpine: DemoParty): Promise<void> {
  const { id } = await sendTo(alpine, 'Silent Test VASP');
  await alpine.receiver.waitFor((webhook) => is(webhook.body, id, 'DELIVERED'));
  await alpine.api.post(`/sandbox/transactions/${id}/fire-timer`, {});
  await alpine.receiver.waitFor(({ body }) => body.id === id && body['subStatus'] === 'EXPIRED');
  detail(
    'Message to Silent Test VASP, then POST …/fire-timer ends the 90 days at once: Alpine received DELIVERED/EXPIRED',
  );
}

function is(body: { id: string; status: string }, id: string, status: string): boolean {
  return body.id === id && body.status === status;
}
