import type { Transaction } from '../../domain/transactions/schema.ts';
import type { Browser, Page } from 'playwright-core';
import { LINK_STATES, MAX_CODE_TRIES } from '../../domain/portal/link.ts';
import { PortalLinkView, type PortalMessage } from '../../domain/portal/schema.ts';
import { accessibilityFaults, describeWithBrowser, startBrowser } from '../factories/browser.ts';
import {
  allowMails,
  codeIn,
  portalOf,
  sendOutside,
  tokenFor,
  untilTransaction,
} from '../factories/portal.ts';
import { startSmtp, type TestSmtp } from '../factories/smtp.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

describeWithBrowser('states of the page of the e-mail portal', () => {
  let smtp: TestSmtp;
  let system: TestSystem;
  let tenant: TestTenant;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    smtp = await startSmtp();
    system = await startTestSystem({
      config: { SMTP_URL: smtp.url, MAIL_FROM: 'waybill@alpine.example', RATE_LIMIT_HOSTED: 0 },
    });
    tenant = await createTenant(system, { name: 'Alpine Exchange' });
    await allowMails(system, tenant);
    browser = await startBrowser();
    page = await browser.newPage();
    // A phone of some years ago.
    await page.setViewportSize({ width: 360, height: 640 });
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  });
  afterAll(async () => {
    await smtp.stop();
    await browser.close();
    await system.stop();
  });

  let count = 0;

  interface SentLink {
    id: string;
    mailbox: string;
    token: string;
  }

  async function sentLink(): Promise<SentLink> {
    const mailbox = `desk@harbour${(count += 1)}.example`;
    const vasp = { beneficiaryVaspName: 'Harbour Outside', beneficiaryVaspEmail: mailbox };
    const id = await sendOutside(tenant, vasp);
    await untilTransaction(tenant, id, ({ subStatus }) => subStatus === 'EMAIL_SENT');
    return { id, mailbox, token: await tokenFor(smtp, mailbox) };
  }

  /** Opens the page with another link than before: a fragment alone loads nothing. */
  async function visit({ token }: SentLink): Promise<void> {
    await page.goto('about:blank');
    await page.goto(`${system.url}/portal#${token}`);
  }

  const press = async (name: string) => await page.getByRole('button', { name, exact: true }).click();
  const says = async (text: string) => await page.getByRole('status').filter({ hasText: text }).waitFor();

  /** Everybody can read what is shown, in the light, in the dark, and without scrolling to the side. */
  async function isReadable(): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await accessibilityFaults(page)).toEqual([]);
    }
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  }

  /** From the link to the message, by the code in the mail. */
  async function open(link: SentLink): Promise<void> {
    const before = smtp.received.filter(({ to }) => to.includes(link.mailbox)).length;
    await visit(link);
    await press('Send me a code');
    const { subject } = await smtp.mailTo(link.mailbox, before);
    await page.getByLabel(/^The code that was sent to/).fill(codeIn(subject));
    await press('Open the message');
    await says('Waits for your answer.');
  }

  /** Brings a link into each state, and what the page says of it. */
  const STATES: Record<
    PortalLinkView['state'],
    { says: string; reach: (link: SentLink) => Promise<unknown> }
  > = {
    OPEN: { says: 'A message waits for you.', reach: async () => undefined },
    EXPIRED: {
      says: 'This link has expired.',
      reach: async ({ id }) =>
        await system.db.pool.query(
          'update portal_links set expires_at = created_at where transaction_id = $1',
          [id],
        ),
    },
    LOCKED: { says: 'This link is locked after too many wrong codes.', reach: tryWrongCodes },
    REPLACED: {
      says: 'A newer link was sent to your mailbox.',
      reach: async ({ token }) => await portalOf(system, token).post('/portal/new-link'),
    },
    ENDED: {
      says: 'The sender has withdrawn this message before it was opened.',
      reach: async ({ id }) => await tenant.patch(`/transactions/${id}`, { status: 'CANCELLED' }),
    },
    ELSEWHERE: {
      says: 'This message goes to its receiver in another way now.',
      reach: async () => await mayMail(false),
    },
  };

  async function tryWrongCodes({ mailbox, token }: SentLink): Promise<void> {
    const portal = portalOf(system, token);
    await portal.post('/portal/code');
    const code = codeIn((await smtp.mailTo(mailbox, 1)).subject) === '000000' ? '000001' : '000000';
    for (let tries = 0; tries < MAX_CODE_TRIES; tries += 1) await portal.post('/portal/session', { code });
  }

  const mayMail = async (deliveryEmailEnabled: boolean) =>
    await tenant.patch('/tenant/me/settings', { deliveryEmailEnabled });
  afterEach(async () => void (await mayMail(true)));

  test('the states below are all that a link has', () => {
    expect(Object.keys(STATES).sort()).toEqual([...PortalLinkView.shape.state.options].sort());
    expect(Object.keys(STATES)).toEqual(expect.arrayContaining([...LINK_STATES]));
  });

  test.each(Object.keys(STATES) as PortalLinkView['state'][])('a link that is %s', async (state) => {
    const link = await sentLink();
    await STATES[state].reach(link);
    await visit(link);
    await says(STATES[state].says);
    await isReadable();
    const offers = { OPEN: 'Send me a code', ENDED: null, ELSEWHERE: null }[state as string];
    if (offers === null) return expect(await page.getByRole('button').count()).toBe(0);
    await page.getByRole('button', { name: offers ?? 'Send me a new link', exact: true }).waitFor();
  });

  test('a new link was sent', async () => {
    const link = await sentLink();
    await STATES.EXPIRED.reach(link);
    await visit(link);
    await press('Send me a new link');
    await says('A mail with a new link is on its way.');
    await isReadable();
    expect(await tokenFor(smtp, link.mailbox, 1)).not.toBe(link.token);
  });

  test('the code is asked for, and asked for again', async () => {
    const link = await sentLink();
    await visit(link);
    await press('Send me a code');
    await says('A mail with the code is on its way.');
    await isReadable();
    await press('Send another code');
    await says('A mail with another code is on its way; it ends the one before.');
    await isReadable();
  });

  test('a message that is sealed, open, asked about, given data, printed and withdrawn', async () => {
    const link = await sentLink();
    await open(link);
    await isReadable();
    await press('Yes, the address is ours');
    await page.getByText('Anna Keller').waitFor();
    await isReadable();
    await page.getByLabel('LEI of the originator').check();
    await press('Ask the sender');
    await says('The sender was asked.');
    await isReadable();
    await press('Send to the sender');
    await page.getByRole('alert').filter({ hasText: 'Please fill in a field first.' }).waitFor();
    await isReadable();

    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText('Anna Keller').isVisible()).toBe(true);
    expect(await page.locator('button, form, fieldset').filter({ visible: true }).count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.emulateMedia({ media: 'screen' });

    await tenant.patch(`/transactions/${link.id}`, { status: 'CANCELLED' });
    await page.reload();
    await says('The sender has withdrawn this message.');
    await isReadable();
  });

  test.each([
    ['Confirm the message', 'You have confirmed this message. Thank you.'],
    ['Decline the message', 'You have declined this message.'],
  ])('after "%s"', async (answer, text) => {
    await open(await sentLink());
    await press('Yes, the address is ours');
    await page.getByText('Anna Keller').waitFor();
    await press(answer);
    await says(text);
    await isReadable();
  });

  test('a person gives every field that an organisation or a person can have', async () => {
    const link = await sentLink();
    await open(link);
    await press('Yes, the address is ours');
    await page.getByText('Anna Keller').waitFor();
    const form = page.getByRole('group', { name: 'The beneficiary' });
    const fill = async (label: string, text: string) =>
      await form.getByLabel(label, { exact: true }).fill(text);
    await form.getByText('Address, birth, document, LEI').click();
    await fill('Date of birth', '1980-01-02');
    await form.getByLabel('Kind', { exact: true }).selectOption('Organisation');
    // What was filled in for a person is not sent with an organisation.
    expect(await form.getByLabel('Date of birth', { exact: true }).isVisible()).toBe(false);
    await isReadable();
    await fill('Account number', 'H-77');
    await fill('Country (code or English name)', 'Singapore');
    await fill('Address', '1 Harbour Road, Singapore');
    await form.getByLabel('Kind of document').selectOption('Number in a register');
    await fill('Document number', '201912345K');
    await fill('Customer number', 'C-12');
    await fill('LEI', '5299009QN2DZK5C5W50A');
    await press('Send to the sender');
    await page.getByRole('alert').filter({ hasText: 'Legal Entity Identifier' }).waitFor();
    await isReadable();
    await fill('LEI', '529900T8BM49AURSDO55');
    await press('Send to the sender');
    await says('The sender has been told.');
    // It stands beside what the sender says: an organisation is another party than the sender's.
    const said = ({ received }: Transaction) => received?.beneficiary ?? null;
    const told = await untilTransaction(tenant, link.id, (record) => Boolean(said(record)?.lei));
    expect(said(told)).toMatchObject({
      accountNumber: 'H-77',
      country: 'SG',
      address: '1 Harbour Road, Singapore',
      nationalIdentificatorType: 'RAID',
      nationalIdentificator: '201912345K',
      customerIdentification: 'C-12',
      lei: '529900T8BM49AURSDO55',
      dateOfBirth: null,
    });

    await form.getByLabel('Kind', { exact: true }).selectOption('Person');
    await form.getByText('Address, birth, document, LEI').click();
    await fill('Date of birth', '1980-01-02');
    await fill('Place of birth', 'Chur');
    await press('Send to the sender');
    // What the page says stands there from before; the form begins anew, with its further fields closed.
    await form.getByLabel('Place of birth', { exact: true }).waitFor({ state: 'hidden' });
    await says('The sender has been told.');
    const born = await untilTransaction(tenant, link.id, (record) => Boolean(said(record)?.placeOfBirth));
    expect(said(born)).toMatchObject({ dateOfBirth: '1980-01-02', placeOfBirth: 'Chur' });
    expect((await portalMessage()).beneficiary).toMatchObject({ country: 'SG', placeOfBirth: 'Chur' });
  });

  /** The message as the page last read it, for the tenth of a second that it takes. */
  async function portalMessage(): Promise<PortalMessage> {
    const answered = page.waitForResponse((response) => response.url().endsWith('/portal/message'));
    await page.reload();
    return (await (await answered).json()) as PortalMessage;
  }

  test('a session that is over loses no typed text: the code is asked for above it', async () => {
    const link = await sentLink();
    await open(link);
    await press('Yes, the address is ours');
    await page.getByRole('button', { name: 'Confirm the message' }).waitFor();
    const note = page.getByLabel('Anything the sender should know (optional)');
    await note.fill('The customer has left us in May.');
    await system.db.pool.query('update portal_links set session_expires_at = created_at');
    await press('Decline the message');
    await press('Send me a code');
    expect(await note.inputValue()).toBe('The customer has left us in May.');
    await isReadable();
    const { subject } = await smtp.mailTo(link.mailbox, 2);
    await page.getByLabel(/^The code that was sent to/).fill(codeIn(subject));
    await press('Open the message');
    await says('You are in again.');
    await press('Decline the message');
    await says('You have declined this message.');
  });

  test('a link that is locked by wrong codes above typed text loses none of it, and another can be had', async () => {
    const link = await sentLink();
    await open(link);
    await press('Yes, the address is ours');
    await page.getByRole('button', { name: 'Confirm the message' }).waitFor();
    const note = page.getByLabel('Anything the sender should know (optional)');
    await note.fill('The customer has left us in May.');
    await system.db.pool.query('update portal_links set session_expires_at = created_at');
    await press('Decline the message');
    await press('Send me a code');
    const code = page.getByLabel(/^The code that was sent to/);
    const { subject } = await smtp.mailTo(link.mailbox, 2);
    await code.fill(codeIn(subject) === '000000' ? '000001' : '000000');
    for (let tries = 0; tries < MAX_CODE_TRIES; tries += 1) await press('Open the message');
    await says('This link is locked after too many wrong codes.');
    expect(await note.inputValue()).toBe('The customer has left us in May.');
    await isReadable();
    await press('Send me a new link');
    await says('A mail with a new link is on its way.');
    expect(await note.inputValue()).toBe('The customer has left us in May.');
  });

  test('a message that was withdrawn while somebody reads it is told, and so is an answer of a proxy alone', async () => {
    const link = await sentLink();
    await open(link);
    await page.route('**/portal/message', async (route) => {
      await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' });
    });
    await press('Yes, the address is ours');
    await page.getByRole('alert').filter({ hasText: 'The service cannot be reached. Try again.' }).waitFor();
    await page.unroute('**/portal/message');
    await tenant.patch(`/transactions/${link.id}`, { status: 'CANCELLED' });
    await press('Yes, the address is ours');
    await says('The sender has withdrawn this message.');
    expect(await page.getByRole('button', { name: 'Decline the message' }).count()).toBe(0);
    await isReadable();
  });
});
