import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { eraseStoredClaim } from '../../db/lifecycle/erase-record.ts';
import { accessibilityFaults, describeWithBrowser, startBrowser } from '../factories/browser.ts';
import { createClaim } from '../factories/claim.ts';
import {
  allowMails,
  codeIn,
  createOutsider,
  sendOutside,
  tokenFor,
  untilTransaction,
} from '../factories/portal.ts';
import { startSmtp, type TestSmtp } from '../factories/smtp.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

describeWithBrowser('the page of the e-mail portal', () => {
  let smtp: TestSmtp;
  let system: TestSystem;
  let tenant: TestTenant;
  let browser: Browser;
  let page: Page;
  /** Requests that the page sent, and what it wrote to the console. */
  const requests: string[] = [];
  const said: string[] = [];

  beforeAll(async () => {
    smtp = await startSmtp();
    system = await startTestSystem({
      config: { SMTP_URL: smtp.url, MAIL_FROM: 'waybill@alpine.example', RATE_LIMIT_HOSTED: 0 },
    });
    tenant = await createTenant(system, { name: 'Alpine Exchange' });
    await allowMails(system, tenant);
    browser = await startBrowser();
    page = await browser.newPage();
    page.on('request', (request) => void requests.push(request.url()));
    page.on('console', (message) => void said.push(message.text()));
    page.on('pageerror', (error) => void said.push(error.message));
  });
  afterAll(async () => {
    await smtp.stop();
    await browser.close();
    await system.stop();
  });

  const heading = async (name: string) => await page.getByRole('heading', { name, exact: true }).waitFor();
  const press = async (name: string) => await page.getByRole('button', { name, exact: true }).click();

  test('a person opens the mail, gives the code, says that the address is theirs, and confirms', async () => {
    const mailbox = 'travel-rule@harbour.example';
    const vaspInfo = { beneficiaryVaspName: 'Harbour Outside', beneficiaryVaspEmail: mailbox };
    const otherNames = { firstName: 'Ania', lastName: 'Kellerowa', aliases: ['Ana Kelerova'] };
    const originator = {
      type: 'NATURAL',
      name: 'Anna Keller',
      country: 'CH',
      dateOfBirth: '1980-02-03',
      ...otherNames,
    };
    const id = await sendOutside(tenant, vaspInfo, { originator });
    const token = await tokenFor(smtp, mailbox);
    await page.goto(`${system.url}/portal#${token}`);
    await heading('Open the message');
    expect(page.url()).toBe(`${system.url}/portal`);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(smtp.received).toHaveLength(1);

    await press('Send me a code');
    const code = codeIn((await smtp.mailTo(mailbox, 1)).subject);
    const field = page.getByLabel('The code that was sent to t…@harbour.example');
    await field.fill(code === '000000' ? '000001' : '000000');
    await press('Open the message');
    await page.getByRole('alert').filter({ hasText: 'tries left: 9' }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await field.fill(code);
    await field.press('Enter');
    await heading('Is the destination address yours?');
    expect(await page.content()).not.toContain('Anna Keller');
    expect(await accessibilityFaults(page)).toEqual([]);

    await press('Yes, the address is ours');
    await heading('Originator');
    await page.getByText('Anna Keller').waitFor();
    // Whoever reads the page sees every name that was screened.
    for (const name of ['Ania Kellerowa', 'Ana Kelerova'])
      await page.getByText(name, { exact: true }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    // The session outlives a reload, the token is in no address.
    await page.reload();
    await page.getByText('Anna Keller').waitFor();

    const [file] = await Promise.all([page.waitForEvent('download'), press('Download as JSON')]);
    const saved = JSON.parse(await readFile(await file.path(), 'utf8')) as { originator: { name: string } };
    expect(saved.originator.name).toBe('Anna Keller');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText('Anna Keller').isVisible()).toBe(true);
    expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0);
    await page.emulateMedia({ media: 'screen' });

    await page.getByLabel('Place of birth of the originator').check();
    await press('Ask the sender');
    await page.getByText('Asked of the sender').waitFor();
    expect(await page.locator('dt:text("Asked of the sender") + dd li').allTextContents()).toEqual([
      'Place of birth of the originator',
    ]);
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByLabel('Account number', { exact: true }).fill('H-77');
    await press('Send to the sender');
    await page.getByText('H-77').waitFor();
    await press('Confirm the message');
    await page.getByText('You have confirmed this message. Thank you.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const confirmed = await untilTransaction(tenant, id, ({ clearance }) => clearance.outcome === 'GO');
    expect(confirmed.beneficiary).toMatchObject({ name: 'Jonas Brandt', accountNumber: 'H-77' });
    expect(said.filter((text) => !text.includes('400'))).toEqual([]);
    expect(requests.filter((url) => url.includes(token) || !url.startsWith(system.url))).toEqual([]);
  });

  test('declines with a reason, from the keyboard alone', async () => {
    const mailbox = 'compliance@harbour.example';
    const id = await sendOutside(tenant, {
      beneficiaryVaspName: 'Harbour Outside',
      beneficiaryVaspEmail: mailbox,
    });
    await page.goto('about:blank');
    await page.goto(`${system.url}/portal#${await tokenFor(smtp, mailbox)}`);
    await heading('Open the message');
    await page.getByRole('button', { name: 'Send me a code' }).focus();
    await page.keyboard.press('Enter');
    const code = codeIn((await smtp.mailTo(mailbox, 1)).subject);
    await heading('Give the code');
    await page.keyboard.press('Tab');
    await page.keyboard.type(code);
    await page.keyboard.press('Enter');
    await heading('Decline');
    await page.getByLabel('Reason', { exact: true }).selectOption('WRONG_VASP');
    await page.getByRole('button', { name: 'Decline the message' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('You have declined this message.').waitFor();
    const declined = await untilTransaction(tenant, id, ({ status }) => status === 'DECLINED');
    expect(declined.statusReasonCode).toBe('WRONG_VASP');
  });

  test('a person opens a question about a transfer, and answers it', async () => {
    const mailbox = 'claims@cove.example';
    await createOutsider(system, { name: 'Cove Outside', emailDomains: ['cove.example'] });
    const claim = await createClaim(tenant, {
      vaspInfo: { originatorVaspName: 'Cove Outside', originatorVaspEmail: mailbox },
      beneficiary: { name: 'Jonas Brandt' },
      requestedFields: ['originator.name', 'originator.dateOfBirth', 'beneficiary.accountNumber'],
    });
    const token = await tokenFor(smtp, mailbox);
    await page.goto('about:blank');
    await page.goto(`${system.url}/portal#${token}`);
    await heading('Open the question');
    await page.getByRole('heading', { name: 'Travel Rule question', level: 1 }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await press('Send me a code');
    const field = page.getByLabel('The code that was sent to c…@cove.example');
    await field.fill(codeIn((await smtp.mailTo(mailbox, 1)).subject));
    await press('Open the question');
    await heading('The question');
    for (const text of ['Alpine Exchange', 'Jonas Brandt', claim.blockchainInfo.transactionHash])
      await page.getByText(text).waitFor();
    expect(await page.locator('dt:text("Asked for") + dd li').allTextContents()).toEqual([
      'Name of the originator',
      'Date of birth of the originator',
      'Account number of the beneficiary',
    ]);
    expect(await accessibilityFaults(page)).toEqual([]);

    // Nothing is sent without the name.
    await press('Send the answer');
    await page.locator('input:invalid:focus').waitFor();
    const sender = page.getByRole('group', { name: 'Who sent the coins' });
    await sender.getByLabel('Name', { exact: true }).fill('Anna Keller');
    await sender.getByLabel('Kind', { exact: true }).selectOption('NATURAL');
    // What is asked for is open already.
    await sender.getByLabel('Date of birth').fill('1984-03-12');
    const receiver = page.getByRole('group', { name: 'Who received them' });
    await receiver.getByLabel('Account number').fill('H-88');
    await page.getByLabel('Amount, in units of the asset').fill('0.5');
    await press('Send the answer');
    await page.getByText('You have answered. Thank you.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const record = await untilTransaction(
      tenant,
      claim.transactionId ?? '',
      ({ originator }) => originator !== null,
    );
    expect(record).toMatchObject({
      amountDecimal: '0.5',
      originator: { type: 'NATURAL', name: 'Anna Keller', dateOfBirth: '1984-03-12' },
      beneficiary: { accountNumber: 'H-88' },
    });
    const [file] = await Promise.all([page.waitForEvent('download'), press('Download as JSON')]);
    expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toMatchObject({ status: 'ANSWERED' });
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText(claim.blockchainInfo.transactionHash).isVisible()).toBe(true);
    expect(await page.getByRole('button').filter({ visible: true }).count()).toBe(0);
    await page.emulateMedia({ media: 'screen' });
  });

  test('an answer whose asker was erased meanwhile is refused, and what was typed stays', async () => {
    const mailbox = 'gone@cove.example';
    const claim = await createClaim(tenant, { vaspInfo: { originatorVaspEmail: mailbox } });
    await page.goto('about:blank');
    await page.goto(`${system.url}/portal#${await tokenFor(smtp, mailbox)}`);
    await press('Send me a code');
    await page.getByLabel('The code that was sent').fill(codeIn((await smtp.mailTo(mailbox, 1)).subject));
    await press('Open the question');
    const sender = page.getByRole('group', { name: 'Who sent the coins' });
    const name = sender.getByLabel('Name', { exact: true });
    await name.fill('Anna Keller');
    const erasure = { reason: 'TENANT', now: new Date() } as const;
    await eraseStoredClaim(system.db, { tenantId: tenant.id, id: claim.id, isDeleted: false }, erasure);
    await press('Send the answer');
    await page.getByRole('alert').filter({ hasText: 'This link is not valid.' }).waitFor();
    expect(await name.inputValue()).toBe('Anna Keller');
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test('a question that was taken back while it is open on the page is told to be over', async () => {
    const mailbox = 'late@cove.example';
    const claim = await createClaim(tenant, { vaspInfo: { originatorVaspEmail: mailbox } });
    await page.goto('about:blank');
    await page.goto(`${system.url}/portal#${await tokenFor(smtp, mailbox)}`);
    await press('Send me a code');
    await page.getByLabel('The code that was sent').fill(codeIn((await smtp.mailTo(mailbox, 1)).subject));
    await press('Open the question');
    await heading('Decline');
    await tenant.patch(`/claims/${claim.id}`, { status: 'CANCELLED' });
    await press('Decline to answer');
    await page.getByText('The question was taken back. Nothing is left to do.').waitFor();
    expect(await page.getByRole('heading', { name: 'Decline', exact: true }).count()).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test('a wrong link is told to be one, and in the dark everything can be read', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto('about:blank');
    await page.goto(`${system.url}/portal#${'A'.repeat(64)}`);
    await page.getByText('This link is not valid. Open the one in your mail.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const answer = await fetch(`${system.url}/portal`);
    expect(answer.headers.get('content-security-policy')).toContain("require-trusted-types-for 'script'");
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  });

  test('another link in the same tab leads to its own message, and leaves the address bar, too', async () => {
    const tokens: string[] = [];
    for (const mailbox of ['first@outside.example', 'second@outside.example']) {
      await sendOutside(tenant, { beneficiaryVaspName: 'Outside', beneficiaryVaspEmail: mailbox });
      tokens.push(await tokenFor(smtp, mailbox));
    }
    await page.goto('about:blank');
    await page.goto(`${system.url}/portal#${tokens[0]}`);
    await page.getByText('f…@outside.example').first().waitFor();
    await page.goto(`${system.url}/portal#${tokens[1]}`);
    await page.getByText('s…@outside.example').first().waitFor();
    expect(page.url()).toBe(`${system.url}/portal`);
  });
});
