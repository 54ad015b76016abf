import type { Browser, Page } from 'playwright-core';
import { deliverClaim } from '../../../db/lifecycle/deliver-claim.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { Wallet } from '../../../domain/wallets/schema.ts';
import { describeWithBrowser, startBrowser } from '../../factories/browser.ts';
import { createClaim, readClaim } from '../../factories/claim.ts';
import { openConsole, signInAt } from '../../factories/console.ts';
import { formOf, png } from '../../factories/evidence.ts';
import { useFourEyes } from '../../factories/people.ts';
import { configurations, draft, rule } from '../../factories/rules.ts';
import { createMessagePair, createTransaction } from '../../factories/transaction.ts';
import { createUser, type TestUser } from '../../factories/user.ts';
import { createVerification } from '../../factories/verification.ts';
import { useApi, useTenant } from '../../use-api.ts';

describeWithBrowser('pages of the console', () => {
  const { api } = useApi({ config: { RATE_LIMIT_WRITES: 0 } });
  const tenant = useTenant(api, { webhookUrl: 'https://hooks.example/in' });
  const other = useTenant(api);
  let browser: Browser;
  let administrator: TestUser;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    browser = await startBrowser();
    administrator = await createUser(api, tenant, 'ADMIN', { name: 'Lena Frei' });
    ({ page, faults } = await openConsole(browser, api));
    await signInAt(page, administrator);
    await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
  });
  afterAll(async () => await browser.close());
  afterEach(async () => {
    expect(faults).toEqual([]);
    // What a failed test left open would be in the way of the others.
    await page.keyboard.press('Escape');
  });

  const open = async (path: string, heading: string) => {
    await page.evaluate(`location.hash = ${JSON.stringify(`#/${path}`)}`);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  };
  const press = async (name: string) => await page.getByRole('button', { name }).click();
  const submitDialog = async (name: string) =>
    await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
  const row = (name: string | RegExp) => page.getByRole('row').filter({ hasText: name });

  test('transactions: found by filter and name, opened, and everything known of one', async () => {
    const { id } = await createTransaction(tenant, {
      reference: 'order-17',
      originator: { name: 'Anna Keller' },
      beneficiary: { name: 'Jonas Brandt' },
    });
    await open('transactions', 'Transactions 1');
    await page.getByLabel('Search').fill('Nobody');
    await page.getByRole('heading', { name: 'No transactions' }).waitFor();
    await page.getByLabel('Search').fill('Keller');
    await row('order-17').click();
    await page.getByRole('heading', { name: '1.5 ETH to an unknown VASP' }).waitFor();
    for (const title of ['Route', 'Parties', 'Screening', 'Timeline'])
      await page.getByRole('heading', { name: title, exact: true }).waitFor();
    await page.getByText('The chain of 1 events is whole').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the evidence' }).click(),
    ]);
    expect(file.suggestedFilename()).toContain('.zip');
    await page.keyboard.press('n');
    await page.getByRole('dialog').getByRole('textbox').fill('Looked at by hand.');
    await submitDialog('Save');
    await page.getByText('Looked at by hand.').waitFor();
    expect((await tenant.get<Transaction>(`/transactions/${id}`)).body.internalNote).toBe(
      'Looked at by hand.',
    );
    await page.keyboard.press('u');
    await page.getByRole('heading', { name: 'Transactions 1', level: 1 }).waitFor();
  });

  test('transactions: a legal hold is set with its reason, shown, and lifted', async () => {
    const { id } = await createTransaction(tenant);
    await open(`transactions/${id}`, '1.5 ETH to an unknown VASP');
    await press('Legal hold');
    await page.getByLabel('Reason').fill('Case 4 K 81/26.');
    await submitDialog('Keep it');
    await page.getByText(/Legal hold since .*: Case 4 K 81\/26\./).waitFor();
    await press('Lift the legal hold');
    await page.getByLabel('Reason').fill('The case is closed.');
    await submitDialog('Lift it');
    await page.getByText('The legal hold is lifted.').waitFor();
    const { body } = await tenant.get<{ hold: boolean }>(`/transactions/${id}/legal-hold`);
    expect(body.hold).toBe(false);
  });

  test('brakes: webhooks are held back with a reason and released again; that of an operator only shows', async () => {
    await open('brakes', 'Brakes');
    await page.getByRole('heading', { name: 'Nothing is held back' }).waitFor();
    await press('Hold back');
    await page.getByLabel('What').selectOption('WEBHOOKS');
    await page.getByLabel('Reason').fill('The receiver is being moved.');
    await submitDialog('Hold back');
    await page.getByText('The receiver is being moved.').waitFor();
    await press('Release');
    await page.getByLabel('How many each second').fill('100');
    await submitDialog('Release');
    await page.getByText('Being released').waitFor();
    expect((await tenant.get('/tenant/me/brakes')).body).toMatchObject([
      { state: 'RELEASING', perSecond: 100 },
    ]);

    const body = { kind: 'INCOMING', reason: 'Asked by the supervisor.' };
    const asOperator = { operatorKey: api.operatorKey, body };
    const set = await api.request('POST', `/operator/tenants/${tenant.id}/brakes`, asOperator);
    expect(set.status).toBe(201);
    await page.getByText('who alone can release it').waitFor();
    expect(await page.getByRole('button', { name: 'Release', exact: true }).count()).toBe(0);
    const { operatorKey } = api;
    const release = `/operator/tenants/${tenant.id}/brakes/${String(set.body['id'])}/release`;
    expect((await api.request('POST', release, { operatorKey })).status).toBe(200);
  });

  test('verifications: a picture is shown when it is asked for, and the proof accepted', async () => {
    const { id } = await createVerification(tenant, { allowedFlows: ['VISUAL_PROOF'] });
    const body = formOf({ verificationFlow: 'VISUAL_PROOF' }, [
      { fileName: '<b>my wallet.png', content: png() },
    ]);
    const headers = { 'X-Api-Key': tenant.apiKey };
    const sent = await fetch(`${api.url}/wallet-verification/${id}/verification`, {
      method: 'POST',
      headers,
      body,
    });
    expect(sent.status).toBe(200);
    await open('verifications', 'Wallet verifications 1');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Visual proof', level: 1 }).waitFor();
    await press('Show');
    const picture = page.getByRole('img', { name: 'my wallet' });
    await picture.waitFor();
    const decoded = `document.querySelector('img.proof').decode().then(() => 'shown')`;
    expect(await page.evaluate(decoded)).toBe('shown');
    await page.keyboard.press('a');
    await page.getByLabel('Reason').fill('Known customer.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('The wallet is verified.').waitFor();
    expect((await tenant.get(`/wallet-verification/${id}`)).body).toMatchObject({ status: 'VERIFIED' });
  });

  test('wallets: those that were detected are confirmed together', async () => {
    const pairs = [
      await createMessagePair(api, other, tenant, { registered: false }),
      await createMessagePair(api, other, tenant, { registered: false }),
    ];
    await open('wallets?_status=UNCONFIRMED', 'Wallets 2');
    await row(pairs[0]?.destination ?? '').waitFor();
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await press('Confirm 2 wallets');
    await submitDialog('Confirm');
    await page.getByText('2 wallets are confirmed.').waitFor();
    await page.getByRole('heading', { name: 'No wallets' }).waitFor();
    const { body } = await tenant.get<Wallet[]>('/wallets');
    expect(body.map(({ status }) => status)).toEqual(['CONFIRMED', 'CONFIRMED']);
  });

  test('claims: a question about a transfer is answered', async () => {
    const claim = await createClaim(other, { vaspInfo: { originatorVaspName: tenant.name } });
    const { incomingId } = (await deliverClaim(api.db, {
      tenantId: other.id,
      id: claim.id,
      askedTenantId: tenant.id,
      now: new Date(),
    }))!;
    await open('claims', 'Claims 1');
    await row('Asked of you').click();
    await page.getByRole('heading', { name: /asks who sent ETH/ }).waitFor();
    await page.keyboard.press('a');
    await page.getByLabel('Name', { exact: true }).fill('Anna Keller');
    await page.keyboard.press('Control+Enter');
    await page.getByText('The answer is sent.').waitFor();
    expect(await readClaim(tenant, incomingId)).toMatchObject({
      transactionId: expect.any(String) as string,
    });
  });

  test('reconciliation, counterparties, deliveries, reports and the audit log show their lists', async () => {
    await open('reconciliation', 'Reconciliation');
    await open('counterparties', 'Counterparties');
    await open('deliveries', 'Deliveries');
    await open('reports', 'Reports');
    await page.getByRole('heading', { name: 'No reports yet' }).waitFor();
    await open('audit', 'Audit log');
    await row('List reports').first().waitFor();
  });

  test('exports: records of a period and the dossier of a customer are asked for with what they are for', async () => {
    await open('exports', 'Exports');
    await page.getByRole('heading', { name: 'No exports' }).waitFor();
    await press('Export records');
    await page.getByLabel('What', { exact: true }).selectOption('wallets');
    await page.getByLabel('To, included').fill('2026-10-31');
    await page.getByLabel('What the copy is for').fill('Yearly audit.');
    await submitDialog('Export');
    await row('Yearly audit.').getByText('Being made').waitFor();
    await press('Dossier of a customer');
    await page.getByLabel('Customer identification').fill('customer-17');
    await page.getByLabel('For whom').selectOption('DATA_SUBJECT');
    await submitDialog('Make the dossier');
    await row('Dossier, JSON').waitFor();
    const { body } = await tenant.get<{ resource: string; filter: unknown; purpose: string }[]>('/exports');
    expect(body.map(({ resource, filter, purpose }) => ({ resource, filter, purpose }))).toEqual([
      { resource: 'dossier', filter: { customerIdentification: 'customer-17' }, purpose: 'DATA_SUBJECT' },
      { resource: 'wallets', filter: { until: '2026-11-01T00:00:00.000Z' }, purpose: 'Yearly audit.' },
    ]);
  });

  test('statistics: charts, and tables with the same numbers', async () => {
    await open('statistics', 'Statistics');
    await page.getByText('As of').waitFor();
  });

  test('rules: a rule is made, tried, saved, published and compared', async () => {
    const { OUTGOING } = await configurations(tenant);
    const inDollars = { field: 'amount', operator: 'GT', value: '3000', currency: 'USD' };
    const large = rule({ name: 'Large', decision: 'REVIEW' });
    const dear = rule({ name: 'Dear', decision: 'WAIT', waitMinutes: 60, conditions: inDollars });
    await draft(tenant, OUTGOING.id, [large, dear], { onUndecided: 'REVIEW' });
    await open('rules', 'Rules');
    await page.getByRole('link', { name: 'Open' }).first().click();
    await page.getByRole('heading', { name: 'Outgoing transactions', level: 1 }).waitFor();
    await page.getByText('if amount is more than 10000').waitFor();
    const tried = page.locator('wb-rule-simulation').getByRole('status');
    const tryAmounts = async (coins: string, dollars: string) => {
      await page.getByLabel('Amount', { exact: true }).fill(coins);
      await page.getByLabel('Amount, USD').fill(dollars);
      await press('Try the draft');
    };
    await tryAmounts('20000', '10');
    await tried.getByText('by the rule Large').waitFor();
    await tried.getByText('Amount is more than 10000: yes, it is 20000').waitFor();
    await tried.getByText('Amount is more than 3000 USD: no, it is 10 USD').waitFor();
    await tryAmounts('1', '4000');
    await tried.getByText('by the rule Dear').waitFor();
    await tryAmounts('1', '10');
    await tried.getByText('because no rule applies').waitFor();
    await tryAmounts('1', '');
    await tried.getByText('because a rule cannot be decided').waitFor();
    await press('Add a rule');
    await page.getByLabel('Name', { exact: true }).last().fill('Embargo');
    await page.getByLabel('Rule 3: field').selectOption('beneficiaryCountry');
    await page.getByLabel('Rule 3: comparison').selectOption('IN');
    await page.getByLabel('Rule 3: value').fill('KP, IR');
    await page.keyboard.press('Tab');
    await page.getByText('if beneficiary country is one of KP, IR').waitFor();
    await press('Save the draft');
    await page.getByText('The draft is saved.').waitFor();
    await press('Publish');
    await page.getByLabel('What changed, and why').fill('First rules');
    await submitDialog('Publish');
    await page.getByText('Version 1 is in force').waitFor();
    await press('Compare version 1 with the draft');
    await page.getByText('The rules are the same.').waitFor();
    await press('Starter set');
    await page.getByRole('dialog').getByLabel('Starter set').selectOption('high-risk-countries');
    await submitDialog('Take it');
    await page.getByText('The starter set is the draft now.').waitFor();
  });

  test('settings: a key is made and shown, a colleague is invited, the webhook is tested', async () => {
    await open('settings', 'Settings');
    await press('New key');
    await page.getByLabel('Name').fill('withdrawals');
    await submitDialog('Make it');
    await page.getByRole('dialog').getByText('wb_sandbox_').waitFor();
    await submitDialog('I have it');
    await press('Invite somebody');
    await page.getByLabel('E-mail').fill('paula@alpine.example');
    await submitDialog('Invite');
    await page.getByText('The invitation is sent.').waitFor();
    await page.getByText('paula@alpine.example').waitFor();
    await press('Send a test');
    await submitDialog('Send');
    await page.getByText('It is on its way.').waitFor();
  });

  test('four eyes: what one person proposes waits in the list of the second', async () => {
    const [first, second] = await useFourEyes(api, tenant, { webhookUrl: true });
    expect(first.email).not.toBe(second.email);
    const answer = await first.patch('/tenant/me', { webhookUrl: 'https://hooks.example/other' });
    expect(answer.status).toBe(200);
    const window = await openConsole(browser, api, '#/proposals');
    await signInAt(window.page, second);
    await window.page.getByRole('row').filter({ hasText: 'Change the webhook address' }).click();
    await window.page.getByText('https://hooks.example/other').waitFor();
    await window.page.keyboard.press('a');
    await window.page.getByRole('button', { name: 'Agree', exact: true }).last().click();
    await window.page.getByText('It is carried out.').waitFor();
    expect((await tenant.get('/tenant/me')).body).toMatchObject({
      webhookUrl: 'https://hooks.example/other',
    });
    expect(window.faults).toEqual([]);
  });
});
