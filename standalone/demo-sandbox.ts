import { detail, freshAddress, step, type DemoParty } from './demo-steps.ts';

interface Answer {
  id: string;
  status: string;
  subStatus: string | null;
}

/** What a sandbox has for trying things out alone: counterparties that answer by themselves, and time that passes. */
export async function playSandbox(alpine: DemoParty, harbour: DemoParty): Promise<void> {
  step('No second business at hand? Three test VASPs answer as their names say.');
  await tellAnswer(alpine, 'Confirming Test VASP', 'CONFIRMED');
  await tellAnswer(alpine, 'Declining Test VASP', 'DECLINED');
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

async function tellAnswer(alpine: DemoParty, vasp: string, status: string): Promise<void> {
  const { id } = await sendTo(alpine, vasp);
  const { body } = await alpine.receiver.waitFor((webhook) => is(webhook.body, id, status));
  const why = typeof body['statusReasoning'] === 'string' ? `, "${body['statusReasoning']}"` : '';
  detail(`to ${vasp}: Alpine heard ${body.status}${why}`);
}

/** A message that a test VASP sends on request. */
async function receive(harbour: DemoParty): Promise<void> {
  const { id, status, subStatus } = await harbour.api.post<Answer>('/sandbox/incoming', transfer());
  detail(`POST /sandbox/incoming -> ${id}, INCOMING ${status}/${subStatus}`);
  await harbour.receiver.waitFor((webhook) => is(webhook.body, id, 'DELIVERED'));
  detail('Harbour got its webhook as well');
}

/** Ninety days without an answer, in a moment. */
async function letTimePass(alpine: DemoParty): Promise<void> {
  const { id } = await sendTo(alpine, 'Silent Test VASP');
  await alpine.receiver.waitFor((webhook) => is(webhook.body, id, 'DELIVERED'));
  await alpine.api.post(`/sandbox/transactions/${id}/fire-timer`, {});
  await alpine.receiver.waitFor(({ body }) => body.id === id && body['subStatus'] === 'EXPIRED');
  detail('to Silent Test VASP, then POST …/fire-timer: Alpine heard DELIVERED/EXPIRED, 90 days in a moment');
}

function is(body: { id: string; status: string }, id: string, status: string): boolean {
  return body.id === id && body.status === status;
}
