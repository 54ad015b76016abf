import type { Browser, Page } from 'playwright-core';
import { accessibilityFaults, describeWithBrowser, startBrowser } from '../../factories/browser.ts';
import { pdf } from '../../factories/evidence.ts';
import { openConsole, signInAt } from '../../factories/console.ts';
import { createTransaction, evmAddress } from '../../factories/transaction.ts';
import { formOf } from '../../factories/evidence.ts';
import { createUser, PASSWORD } from '../../factories/user.ts';
import { createVerification } from '../../factories/verification.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

/** The id of no record. */
const NOBODYS = '11111111-1111-4111-8111-111111111111';

describeWithBrowser('the console when something goes wrong', () => {
  const { api } = useApi();
  const tenant = useTenantPerTest(api);
  let browser: Browser;
  beforeAll(async () => void (browser = await startBrowser()));
  afterAll(async () => await browser.close());

  async function undecided(name: string): Promise<string> {
    const { id } = await createTransaction(tenant, {
      direction: 'INCOMING',
      originator: { name },
      vaspInfo: { originatorVaspName: 'Far Away Exchange' },
      blockchainInfo: { blockchain: 'Ethereum', destination: evmAddress(), destinationType: 'CUSTODIAL' },
    });
    return id;
  }

  const preview = (page: Page) => page.getByRole('complementary', { name: 'Selected' });
  const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Pages' });

  /** What is posted is carried out, and nobody hears of it. */
  async function loseAnswers(page: Page, url: string): Promise<void> {
    await page.route(url, async (route) => {
      if (route.request().method() !== 'POST') return await route.fallback();
      await route.fetch();
      await route.abort();
    });
  }

  test('a password with blanks at its ends signs in as it was set', async () => {
    const password = ' slate-Otter-97-harvest ';
    const reviewer = await createUser(api, tenant, 'COMPLIANCE', { password });
    const { page, faults } = await openConsole(browser, api);
    await page.getByLabel('E-mail').fill(reviewer.email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await sidebar(page).getByText(reviewer.email).waitFor();
    expect(faults).toEqual([]);
  });

  test('an answer that is lost: the page says so, and the same sent again is carried out once', async () => {
    const admin = await createUser(api, tenant, 'ADMIN');
    const { page } = await openConsole(browser, api, '#/settings');
    await signInAt(page, admin);
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('Withdrawal service');
    await loseAnswers(page, '**/tenant/me/api-keys');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByText('The service gives no answer.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.unroute('**/tenant/me/api-keys');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('heading', { name: 'Your new key' }).waitFor();
    const { body } = await tenant.get<{ name: string | null }[]>('/tenant/me/api-keys');
    expect(body.filter(({ name }) => name === 'Withdrawal service')).toHaveLength(1);
  });

  test('a refusal that decides nothing, after a lost answer, makes no other request of the same', async () => {
    const admin = await createUser(api, tenant, 'ADMIN');
    const { page } = await openConsole(browser, api, '#/settings');
    await signInAt(page, admin);
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('Withdrawal service');
    await loseAnswers(page, '**/tenant/me/api-keys');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByText('The service gives no answer.').waitFor();
    await page.unroute('**/tenant/me/api-keys');
    // As the limiter answers, which stands before everything else.
    const busy = {
      status: 429,
      code: 'rate_limited',
      title: 'Too many requests',
      detail: 'Wait a moment.',
      errors: [],
    };
    await page.route('**/tenant/me/api-keys', async (route) => {
      if (route.request().method() !== 'POST') return await route.fallback();
      await route.fulfill({
        status: 429,
        contentType: 'application/problem+json',
        body: JSON.stringify(busy),
      });
    });
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByText('Wait a moment.').waitFor();
    await page.unroute('**/tenant/me/api-keys');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('heading', { name: 'Your new key' }).waitFor();
    const { body } = await tenant.get<{ name: string | null }[]>('/tenant/me/api-keys');
    expect(body.filter(({ name }) => name === 'Withdrawal service')).toHaveLength(1);
  });

  test('the dialog of a record closes when the browser goes back from it, and keeps what was typed', async () => {
    const [id, other] = [await undecided('Anna Keller'), await undecided('Jonas Brandt')];
    const reviewer = await createUser(api, tenant, 'COMPLIANCE');
    const { page } = await openConsole(browser, api, `#/transactions/${other}`);
    await signInAt(page, reviewer);
    await page.getByText('Jonas Brandt').first().waitFor();
    await page.evaluate(`location.hash = '#/transactions/${id}'`);
    await page.getByText('Anna Keller').first().waitFor();
    await page.keyboard.press('d');
    await page.getByLabel('Reason').fill('Not known.');
    await page.goBack();
    await page.getByText('Jonas Brandt').first().waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goForward();
    await page.getByText('Anna Keller').first().waitFor();
    await page.keyboard.press('d');
    expect(await page.getByLabel('Reason').inputValue()).toBe('Not known.');
  });

  test('the same sent minutes after a lost answer is another request: what was done may be undone by then', async () => {
    const admin = await createUser(api, tenant, 'ADMIN');
    const { page } = await openConsole(browser, api, '#/brakes');
    await signInAt(page, admin);
    const brakesOn = async () => {
      const { body } = await tenant.get<{ id: string; state: string }[]>('/tenant/me/brakes');
      return body.filter(({ state }) => state === 'ON');
    };
    await page.getByRole('button', { name: 'Hold back' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('An incident.');
    await loseAnswers(page, '**/tenant/me/brakes');
    await page.keyboard.press('Control+Enter');
    await page.getByText('The service gives no answer.').waitFor();
    await page.unroute('**/tenant/me/brakes');
    for (const { id } of await brakesOn()) await tenant.post(`/tenant/me/brakes/${id}/release`, {});
    expect(await brakesOn()).toEqual([]);
    await page.clock.setFixedTime(Date.now() + 180_000);
    await page.keyboard.press('Control+Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await brakesOn()).toHaveLength(1);
  });

  test('a decision whose answer is lost is told as done when it is sent again', async () => {
    const id = await undecided('Anna Keller');
    const reviewer = await createUser(api, tenant, 'COMPLIANCE');
    const { page } = await openConsole(browser, api);
    await signInAt(page, reviewer);
    await preview(page).getByText('Anna Keller').waitFor();
    await page.keyboard.press('d');
    await page.getByLabel('Reason').fill('Not known.');
    await loseAnswers(page, '**/review');
    await page.keyboard.press('Control+Enter');
    await page.getByText('The service gives no answer.').waitFor();
    await page.unroute('**/review');
    await page.keyboard.press('Control+Enter');
    await page.getByText('The transaction is blocked.').waitFor();
    const { body } = await tenant.get<{ reviews: unknown[] }>(`/transactions/${id}/screening`);
    expect(body.reviews).toHaveLength(1);
  });

  test('a failure is told although the dialog was closed while it was sent, and to no other dialog', async () => {
    await undecided('Anna Keller');
    const reviewer = await createUser(api, tenant, 'COMPLIANCE');
    const { page } = await openConsole(browser, api);
    await signInAt(page, reviewer);
    await preview(page).getByText('Anna Keller').waitFor();
    await page.keyboard.press('d');
    await page.getByLabel('Reason').fill('Not known.');
    let fail = () => {};
    const failing = new Promise<void>((resolve) => void (fail = resolve));
    await page.route('**/review', async (route) => {
      await failing;
      await route.abort();
    });
    await page.keyboard.press('Control+Enter');
    await page.getByText('Sending …').waitFor();
    await page.keyboard.press('Escape');
    // Also a key that comes before the browser has told the page that the dialog is closed.
    await page.keyboard.press('n');
    const dialog = page.getByRole('dialog', { name: 'note' });
    await dialog.waitFor();
    fail();
    await page.getByRole('status').getByText('The service gives no answer.').waitFor();
    expect(await dialog.getByRole('alert').count()).toBe(0);
  });

  test('a chosen wallet that was deleted meanwhile is told, and the others can still be confirmed', async () => {
    const wallets: { id: number; address: string }[] = [];
    for (let at = 0; at < 2; at += 1) {
      const { body } = await tenant.post<{ id: number; address: string }>('/wallets', {
        address: evmAddress(),
        blockchain: 'Ethereum',
        asset: '*',
      });
      await tenant.patch(`/wallets/${body.id}`, { status: 'UNCONFIRMED' });
      wallets.push(body);
    }
    const reviewer = await createUser(api, tenant, 'COMPLIANCE');
    const { page } = await openConsole(browser, api, '#/wallets?_status=UNCONFIRMED');
    await signInAt(page, reviewer);
    for (const { address } of wallets) await page.getByText(address).waitFor();
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByRole('button', { name: 'Confirm 2 wallets' }).waitFor();
    const [gone, left] = wallets;
    await tenant.delete(`/wallets/${gone?.id}`);
    await page.getByText(gone?.address ?? '').waitFor({ state: 'detached' });
    await page.keyboard.press('a');
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByText('The wallet is confirmed. One was deleted meanwhile.').waitFor();
    const { body } = await tenant.get<{ status: string }>(`/wallets/${left?.id}`);
    expect(body.status).toBe('CONFIRMED');
  });

  test('a key pressed at once after j acts on no other record than the selected one', async () => {
    await undecided('Anna Keller');
    await undecided('Jonas Brandt');
    const reviewer = await createUser(api, tenant, 'COMPLIANCE');
    const { page } = await openConsole(browser, api);
    await signInAt(page, reviewer);
    await preview(page).getByText('Anna Keller').waitFor();
    // As two keys that a fast person presses: one after the other, but before the preview follows.
    await page.evaluate(`(async () => {
      const press = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      press('j');
      await new Promise((resolve) => setTimeout(resolve, 10));
      press('d');
    })()`);
    await preview(page).getByText('Jonas Brandt').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  test('a link that no browser has made leads to a page that says so', async () => {
    const reviewer = await createUser(api, tenant, 'COMPLIANCE');
    const { page } = await openConsole(browser, api, '#/transactions/%E0%A4');
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
    await signInAt(page, reviewer);
    await page.getByRole('heading', { name: 'The transaction cannot be shown' }).waitFor();
  });

  test('a record that is not there is told under a heading, on the page of each kind', async () => {
    const reviewer = await createUser(api, tenant, 'COMPLIANCE');
    const { page, faults } = await openConsole(browser, api);
    await signInAt(page, reviewer);
    await sidebar(page).getByText(reviewer.email).waitFor();
    const kinds = [
      ['transactions', 'transaction'],
      ['verifications', 'verification'],
      ['claims', 'claim'],
      ['counterparties', 'counterparty'],
      ['rules', 'rules'],
      ['deliveries', 'delivery'],
      ['proposals', 'proposal'],
    ];
    for (const [kind, what] of kinds) {
      await page.goto(`${api.url}/console/#/${kind}/${NOBODYS}`);
      await page.getByRole('heading', { name: `The ${what} cannot be shown`, exact: true }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
    }
    expect(faults).toEqual([]);
  });

  test('the page of a password link: in the dark, with another link in the same tab, and clicked twice', async () => {
    const page = await browser.newPage({ colorScheme: 'dark' });
    await page.goto(`${api.url}/password`);
    await page.getByText('Open this page by the link in your mail.').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.goto(`${api.url}/password#${'A'.repeat(40)}`);
    // The page takes the link out of the address once it has loaded anew.
    await page.waitForURL(`${api.url}/password`);
    await page.getByText('Open this page by the link in your mail.').waitFor({ state: 'hidden' });
    let asked = 0;
    await page.route('**/auth/password', async (route) => {
      asked += 1;
      await new Promise((resolve) => void setTimeout(resolve, 300));
      await route.fallback();
    });
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Set password' }).dblclick();
    await page.getByRole('alert').waitFor();
    expect(asked).toBe(1);
    expect(await accessibilityFaults(page)).toEqual([]);
  });

  test('signing out without a connection is told: the session goes on', async () => {
    const reviewer = await createUser(api, tenant, 'COMPLIANCE');
    const { page, faults } = await openConsole(browser, api);
    await signInAt(page, reviewer);
    await sidebar(page).getByText(reviewer.email).waitFor();
    await page.route('**/auth/session', async (route) => await route.abort());
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are still signed in').waitFor();
    expect(faults.filter((fault) => !fault.includes('ERR_FAILED'))).toEqual([]);
  });

  test('another user in another tab: nobody goes on under the name of the first', async () => {
    const id = await undecided('Anna Keller');
    const [first, second] = [
      await createUser(api, tenant, 'COMPLIANCE'),
      await createUser(api, tenant, 'COMPLIANCE'),
    ];
    const { page } = await openConsole(browser, api);
    await signInAt(page, first);
    await preview(page).getByText('Anna Keller').waitFor();
    await page.keyboard.press('d');
    await page.getByLabel('Reason').fill('Of the first.');
    const other = await page.context().newPage();
    await other.goto(`${api.url}/console/`);
    await other.getByRole('button', { name: 'Sign out' }).click();
    await signInAt(other, second);
    await sidebar(other).getByText(second.email).waitFor();
    await sidebar(page).getByText(second.email).waitFor();
    expect(await page.getByRole('heading', { name: 'Block this transaction' }).count()).toBe(0);
    const { body } = await tenant.get<{ reviews: unknown[] }>(`/transactions/${id}/screening`);
    expect(body.reviews).toEqual([]);
  });

  test('files of a step that came after the shown ones are accepted by nobody who has not seen them', async () => {
    const { id } = await createVerification(tenant, {
      additionalSteps: [{ kind: 'SOURCE_OF_FUNDS_WEALTH' }],
    });
    const path = `/wallet-verification/${id}/additional-steps/SOURCE_OF_FUNDS_WEALTH`;
    const reviewer = await createUser(api, tenant, 'COMPLIANCE');
    await giveFile(path);
    const { page } = await openConsole(browser, api, `#/verifications/${id}`);
    await signInAt(page, reviewer);
    await page.getByRole('button', { name: /^Accept/ }).click();
    await page.getByLabel('Reason').fill('Fits the salary.');
    await tenant.patch(path, { status: 'DECLINED', statusReasoning: 'Not readable.' });
    await giveFile(path);
    await page.keyboard.press('Control+Enter');
    await page.getByText('This has changed since you opened it.').waitFor();
    const { body } = await tenant.get<{ additionalSteps: { status: string }[] }>(
      `/wallet-verification/${id}`,
    );
    expect(body.additionalSteps).toMatchObject([{ status: 'ACTION_REQUIRED' }]);
  });

  async function giveFile(path: string): Promise<void> {
    const answer = await fetch(`${api.url}${path}`, {
      method: 'POST',
      headers: { 'X-Api-Key': tenant.apiKey },
      body: formOf({}, [{ fileName: 'salary.pdf', content: pdf() }]),
    });
    if (!answer.ok) throw new Error(await answer.text());
  }
});
