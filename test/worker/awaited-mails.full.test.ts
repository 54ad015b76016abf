import { mailSummary, type MailKind } from '../../domain/mails/mail.ts';
import { startWorkflow } from '../../workflows/start.ts';
import { eventually } from '../eventually.ts';
import { untilCompleted, useLimitedWorkers } from './limited-workers.ts';

// A mail server that holds every link to a message until it is let go.

const held: string[] = [];
const workers = useLimitedWorkers((released) => ({
  async sendMail({ id }) {
    if (id.startsWith('link')) {
      held.push(id);
      await released;
    }
    return { status: 'SENT' };
  },
}));

async function queue(kind: MailKind, id: string): Promise<void> {
  const entry = { id: 0, tenantId: 'alpine', workflow: 'mailDelivery' as const, subjectId: id };
  await startWorkflow(workers.client, { ...entry, summary: mailSummary(kind) });
}

test('what a person waits for passes the links to messages that take all places', async () => {
  for (let n = 0; n < 12; n += 1) await queue('PORTAL_LINK', `link-${n}`);
  await eventually(
    () => held.length,
    (places) => places === 5,
  );
  const awaited: readonly MailKind[] = ['PASSWORD_RESET', 'PORTAL_CODE', 'INVITATION'];
  for (const kind of awaited) await queue(kind, kind);
  for (const kind of awaited) await untilCompleted(workers.client, 'mailDelivery', kind);
  expect(held).toHaveLength(5);
});
