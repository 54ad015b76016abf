import type { RunningProduct } from './running-product.ts';
import { detail, freshAddress, step, type DemoParty } from './demo-steps.ts';

const WAIT_MS = 30_000;
const POLL_MS = 200;

/** A VASP on no network gets a link by e-mail, and answers on a page without an account. */
export async function playEmail({ apiUrl }: RunningProduct, alpine: DemoParty): Promise<void> {
  const mailbox = `compliance-${freshAddress().slice(2, 10)}@lagoon-exchange.example`;
  step(`A VASP on no network gets the message by e-mail: ${mailbox}.`);
  if (!(await fetch(`${apiUrl}/mailbox`)).ok) {
    detail('Left out: with a mail server (SMTP_URL) there is no mailbox in which the demo could read.');
    return;
  }
  const { deliveryEmailEnabled: earlier } = await alpine.api.tenant.settings();
  await alpine.api.tenant.patchSettings({ deliveryEmailEnabled: true });
  try {
    await answerByMail(apiUrl, alpine, mailbox);
  } finally {
    await alpine.api.tenant.patchSettings({ deliveryEmailEnabled: earlier });
  }
}

async function answerByMail(apiUrl: string, alpine: DemoParty, mailbox: string): Promise<void> {
  const { id } = await alpine.api.transactions.create({
    asset: 'ETH',
    amount: '0.6',
    blockchainInfo: {
      blockchain: 'Ethereum',
      destination: freshAddress(),
      destinationType: 'CUSTODIAL',
    },
    vaspInfo: { beneficiaryVaspName: 'Lagoon Exchange', beneficiaryVaspEmail: mailbox },
    originator: { type: 'NATURAL', name: 'Anna Keller', country: 'CH' },
    beneficiary: { type: 'NATURAL', name: 'Jonas Brandt' },
  });
  const inMailbox = (pattern: RegExp) => mailTo(apiUrl, mailbox, pattern);
  const token = await inMailbox(/\/portal#([\w-]{64})/);
  await alpine.receiver.waitFor((body) => body.id === id && body.subStatus === 'EMAIL_SENT');
  detail(`The mail with the link is in ${apiUrl}/mailbox; Alpine received PENDING/EMAIL_SENT`);

  await portal(apiUrl, token, 'POST', 'code');
  const code = await inMailbox(/Subject: (\d{6}) /);
  const { session } = await portal<{ session: string }>(apiUrl, token, 'POST', 'session', { body: { code } });
  await alpine.receiver.waitFor((body) => body.id === id && body.status === 'DELIVERED');
  detail(`The code of a second mail (${code}) opens the message: DELIVERED`);

  const answer = { destinationConfirmed: true, status: 'CONFIRMED' };
  await portal(apiUrl, token, 'PATCH', 'message', { session, body: answer });
  const { body } = await alpine.receiver.waitFor(
    (transaction) => transaction.id === id && transaction.status === 'CONFIRMED',
  );
  detail(`It says that the address is its own and confirms: Alpine received ${body.status}`);
}

interface PortalCall {
  session?: string;
  body?: unknown;
}

/** A call of the page behind the link. */
async function portal<T>(
  apiUrl: string,
  token: string,
  method: 'POST' | 'PATCH',
  path: string,
  { session, body = {} }: PortalCall = {},
): Promise<T> {
  const answer = await fetch(`${apiUrl}/portal/${path}`, {
    method,
    headers: {
      'Content-Type': 'application/json',
      'X-Portal-Token': token,
      ...(session !== undefined && { 'X-Portal-Session': session }),
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`The portal answered ${answer.status} to ${path}.`);
  return (await answer.json().catch(() => ({}))) as T;
}

/** What the newest mail to a mailbox has, as the sandbox keeps it; waits for that mail. */
async function mailTo(apiUrl: string, mailbox: string, pattern: RegExp): Promise<string> {
  const startedMs = Date.now();
  for (;;) {
    const page = await (await fetch(`${apiUrl}/mailbox`)).text();
    const found = page
      .split('----------')
      .filter((mail) => mail.includes(mailbox))
      .map((mail) => pattern.exec(mail)?.[1])
      .find(Boolean);
    if (found !== undefined) return found;
    if (Date.now() - startedMs > WAIT_MS)
      throw new Error(`No mail to ${mailbox} came within ${WAIT_MS / 1000} s.`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
