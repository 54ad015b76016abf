import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { text } from 'node:stream/consumers';
import { openMailer } from '../../activities/mail/mailer.ts';
import { sealingContext } from '../../db/vault/contexts.ts';
import { readFigures } from '../../db/metrics/read-figures.ts';
import { TASK_QUEUES, workflowId } from '../../workflows/contract.ts';
import type { TestTenant } from '../factories/tenant.ts';
import { createTenant } from '../factories/tenant.ts';
import { createUser } from '../factories/user.ts';
import { eventually } from '../eventually.ts';
import { recordHistory } from '../record-history.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

interface Received {
  to: string[];
  content: string;
}

let system: TestSystem;
let tenant: TestTenant;
const received: Received[] = [];
/** What the server does with the next mails; the last one stays. */
let replies: ('TAKE' | 'BUSY' | 'REFUSE')[] = ['TAKE'];
/** How often the server still refuses the sender. */
let senderRefusals = 0;
/** Resolves when mails may go on. */
let release: (() => void)[] | undefined;

const failures = {
  BUSY: Object.assign(new Error('busy'), { responseCode: 451 }),
  REFUSE: Object.assign(new Error('no such mailbox'), { responseCode: 550 }),
};
const options: SMTPServerOptions = {
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onMailFrom(_address, _session, done) {
    if (senderRefusals === 0) return done();
    senderRefusals -= 1;
    return done(failures.REFUSE);
  },
  onData(stream, session, done) {
    void text(stream).then(async (content) => {
      if (release) await new Promise<void>((resolve) => release?.push(resolve));
      const reply = replies.length > 1 ? replies.shift() : replies[0];
      if (reply === 'BUSY' || reply === 'REFUSE') return done(failures[reply]);
      received.push({ to: session.envelope.rcptTo.map(({ address }) => address), content });
      return done();
    }, done);
  },
};
const server = new SMTPServer(options);

beforeAll(async () => {
  const port = await new Promise<number>((resolve) => {
    const { server: socket } = server;
    server.listen(0, '127.0.0.1', () => {
      const address = socket.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
  const config = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Waybill <waybill@alpine.example>' };
  const mailer = openMailer({ ...config, ENVIRONMENT: 'sandbox' });
  system = await startTestSystem({ config, activities: { mailer } });
  tenant = await createTenant(system);
});
afterAll(async () => {
  await system.stop();
  await new Promise<void>((resolve) => server.close(resolve));
});

let count = 0;
/** Invites somebody; returns the address and the id of the mail. */
async function invite(): Promise<{ email: string; id: string }> {
  const email = `guest-${(count += 1)}@alpine.example`;
  const answer = await tenant.post('/users/invitations', { email, role: 'OBSERVER' });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  const { rows } = await system.db.pool.query<{ id: string }>(
    'select id from mails order by created_at desc, id desc limit 1',
  );
  return { email, id: rows[0]?.id ?? '' };
}

async function endOf(id: string) {
  const status = await system.client.workflow.getHandle(workflowId('mailDelivery', id)).result();
  const { rows } = await system.db.pool.query(
    'select status, error, attempts, content is null as erased, wake_at from mails where id = $1',
    [id],
  );
  return { status: status as unknown, row: rows[0] as unknown };
}
const result = async (id: string) =>
  await eventually(
    async () => await endOf(id),
    () => true,
  );

test('a mail reaches the server with its link; its text goes from the database', async () => {
  const { email, id } = await invite();
  expect(await result(id)).toEqual({
    status: 'SENT',
    row: { status: 'SENT', error: null, attempts: 1, erased: true, wake_at: null },
  });
  const mail = received.find(({ to }) => to.includes(email));
  expect(mail?.content).toContain(`Message-ID: <${id}@alpine.example>`);
  expect(mail?.content).toContain('From: Waybill <waybill@alpine.example>');
  const [, token = ''] =
    /\/password#([\w-]{43})/.exec(mail?.content.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? '') ?? [];
  const body = { token, password: 'granite-Lantern-52-quay' };
  expect((await system.request('POST', '/auth/password', { body })).status).toBe(201);
  await recordHistory(system.client, 'mailDelivery', id, 'sent');
});

test('a server that is busy is asked again; nothing of the mail is in the history', async () => {
  replies = ['BUSY', 'TAKE'];
  const { email, id } = await invite();
  expect(await result(id)).toMatchObject({ status: 'SENT', row: { attempts: 2 } });
  const history = await system.client.workflow.getHandle(workflowId('mailDelivery', id)).fetchHistory();
  const shown = JSON.stringify(history, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString() : value,
  );
  expect(shown).not.toContain(email);
  expect(shown).toContain('(EMESSAGE, 451)');
  expect(JSON.stringify(system.workerLog)).not.toContain(email);
});

test('a mail that the server refuses ends, with its code', async () => {
  replies = ['REFUSE'];
  const { id } = await invite();
  expect(await result(id)).toMatchObject({
    status: 'FAILED',
    row: { status: 'FAILED', error: 'SMTP_550', erased: true },
  });
  expect(system.workerLog).toContainEqual(
    expect.objectContaining({ id, kind: 'INVITATION', code: 'SMTP_550', msg: 'a mail was not sent' }),
  );
  expect((await readFigures(system.db.pool)).unsentMails).toBe(1);
});

test('a server that refuses the sender is asked again: the operator can mend that', async () => {
  replies = ['TAKE'];
  senderRefusals = 1;
  const { id } = await invite();
  expect(await result(id)).toMatchObject({ status: 'SENT', row: { attempts: 2 } });
});

test('a mail is not tried beyond the end of its link', async () => {
  replies = ['BUSY'];
  const { email } = await createUser(system, tenant);
  await system.request('POST', '/auth/password-reset', { body: { email } });
  const { rows } = await system.db.pool.query<{ id: string }>(
    `select id from mails where kind = 'PASSWORD_RESET'`,
  );
  system.clock.offsetMs = 61 * 60_000;
  expect(await result(rows[0]?.id ?? '')).toMatchObject({ row: { status: 'FAILED', error: 'TIMED_OUT' } });
  system.clock.offsetMs = 0;
});

test('mails to a server that hangs wait for their own workers: other work goes on', async () => {
  replies = ['TAKE'];
  release = [];
  const { id } = await invite();
  try {
    await eventually(
      () => release?.length,
      (held) => held === 1,
    );
    const history = await system.client.workflow.getHandle(workflowId('mailDelivery', id)).fetchHistory();
    const queues = (history.events ?? []).map(
      ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.taskQueue?.name,
    );
    expect(queues.filter(Boolean)).toEqual([TASK_QUEUES.awaitedMails]);
  } finally {
    for (const go of release) go();
    release = undefined;
  }
  expect(await result(id)).toMatchObject({ status: 'SENT' });
});

test('in production nothing is said to a server that speaks without TLS', async () => {
  replies = ['TAKE'];
  const { SMTP_URL, MAIL_FROM } = system.config;
  const mailer = openMailer({ SMTP_URL, MAIL_FROM, ENVIRONMENT: 'production' });
  const mail = { id: 'x', to: 'nobody@alpine.example', subject: 'x', text: 'x' };
  await expect(mailer?.send(mail)).rejects.toMatchObject({ code: 'ETLS' });
  expect(received.filter(({ to }) => to.includes(mail.to))).toEqual([]);
});

test('a mail of yesterday is given up', async () => {
  replies = ['BUSY'];
  system.clock.offsetMs = 25 * 3_600_000;
  const { id } = await invite();
  expect(await result(id)).toMatchObject({ row: { status: 'FAILED', error: 'TIMED_OUT' } });
  system.clock.offsetMs = 0;
});

test('a mail whose workflow was lost is sent after the sweep', async () => {
  replies = ['TAKE'];
  const { email, id } = await invite();
  await result(id);
  // As it was before, without a workflow.
  const keys = await system.db.vault.tenantKeys(tenant.id);
  const content = keys.seal(sealingContext.mail.content(tenant.id, id), {
    to: email,
    subject: 'Again',
    text: 'x',
  });
  await system.db.pool.query(
    `update mails set status = 'PENDING', content = $2, wake_at = now() - interval '2 minutes' where id = $1`,
    [id, content],
  );
  await system.sweep();
  await eventually(
    () => received.filter(({ to }) => to.includes(email)).length,
    (mails) => mails === 2,
  );
});
