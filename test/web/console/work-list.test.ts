import type { Browser } from 'playwright-core';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import { describeWithBrowser, startBrowser } from '../../factories/browser.ts';
import { openConsole, signInAt } from '../../factories/console.ts';
import { createTransaction, evmAddress } from '../../factories/transaction.ts';
import { createUser } from '../../factories/user.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

describeWithBrowser('the work list of the console', () => {
  const { api } = useApi();
  const tenant = useTenantPerTest(api);
  let browser: Browser;
  beforeAll(async () => void (browser = await startBrowser()));
  afterAll(async () => await browser.close());

  /** An INCOMING record that its own tenant made and has to decide on. */
  async function undecided(name: string): Promise<string> {
    const { id } = await createTransaction(tenant, {
      direction: 'INCOMING',
      originator: { name },
      vaspInfo: { originatorVaspName: 'Far Away Exchange' },
      blockchainInfo: { blockchain: 'Ethereum', destination: evmAddress(), destinationType: 'CUSTODIAL' },
    });
    return id;
  }

  const read = async (id: string) => (await tenant.get<Transaction>(`/transactions/${id}`)).body;

  test('a reviewer signs in and decides on what waits, from the keyboard alone', async () => {
    const first = await undecided('Anna Keller');
    const second = await undecided('Jonas Brandt');
    const reviewer = await createUser(api, tenant, 'COMPLIANCE', { name: 'Rita Reviewer' });
    const { page, faults } = await openConsole(browser, api);
    await page.getByLabel('E-mail').waitFor();
    await page.keyboard.type(reviewer.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type('slate-Otter-97-harvest');
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'Work list 2' }).waitFor();
    const preview = page.getByRole('complementary', { name: 'Selected' });
    await preview.getByText('Anna Keller').waitFor();
    await page.keyboard.press('j');
    await preview.getByText('Jonas Brandt').waitFor();
    await page.keyboard.press('k');
    await preview.getByText('Anna Keller').waitFor();
    await page.keyboard.press('Enter');
    // The preview of the list has this heading too, but smaller: keys pressed before the page is there are lost.
    await page.getByRole('heading', { name: '1.5 ETH from Far Away Exchange', level: 1 }).waitFor();
    await page.keyboard.press('d');
    await page.getByRole('heading', { name: 'Block this transaction' }).waitFor();
    await page.keyboard.type('The sender cannot be identified.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('The transaction is blocked.').waitFor();
    expect((await read(first)).status).toBe('DECLINED');

    await page.keyboard.press('g');
    await page.keyboard.press('w');
    await preview.getByText('Jonas Brandt').waitFor();
    await page.keyboard.press('a');
    await page.getByRole('heading', { name: 'Let this transaction proceed' }).waitFor();
    await page.keyboard.type('Known customer.');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
    expect((await read(second)).status).toBe('CONFIRMED');
    expect(faults).toEqual([]);
  });

  test('what another reviewer decides goes away by itself, and is told kindly to who was about to decide', async () => {
    const id = await undecided('Anna Keller');
    const reviewer = await createUser(api, tenant, 'COMPLIANCE');
    const { page, faults } = await openConsole(browser, api);
    await signInAt(page, reviewer);
    const preview = page.getByRole('complementary', { name: 'Selected' });
    await preview.getByText('Anna Keller').waitFor();
    await page.keyboard.press('a');
    await page.getByLabel('Reason').fill('Typed before the other decided.');
    await tenant.post(`/transactions/${id}/review`, { decision: 'BLOCK', reason: 'faster' });
    await page.keyboard.press('Control+Enter');
    await page.getByText('This has changed since you opened it.').waitFor();
    expect(await page.getByLabel('Reason').inputValue()).toBe('Typed before the other decided.');
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
    await undecided('Jonas Brandt');
    await preview.getByText('Jonas Brandt').waitFor();
    expect(faults).toEqual([]);
  });

  test('a session that ends in the middle of a decision loses no typed text', async () => {
    const id = await undecided('Anna Keller');
    const reviewer = await createUser(api, tenant, 'COMPLIANCE');
    const { page, faults } = await openConsole(browser, api);
    await signInAt(page, reviewer);
    await page.getByRole('complementary', { name: 'Selected' }).getByText('Anna Keller').waitFor();
    await page.keyboard.press('a');
    await page.getByLabel('Reason').fill('A long reason that nobody wants to type twice.');
    // The change feed would find out first now and then, and put its question for the password before the decision.
    await page.route(/\/events\?/, () => undefined);
    await page.context().clearCookies();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await signInAt(page, reviewer);
    await page.getByText('The transaction proceeds.').waitFor();
    const { body } = await tenant.get<{ reviews: { reason: string }[] }>(`/transactions/${id}/screening`);
    expect(body.reviews).toMatchObject([{ reason: 'A long reason that nobody wants to type twice.' }]);
    expect(faults).toEqual([]);
  });

  test('another user who signs in at an ended session begins anew: nothing of the first is shown or sent', async () => {
    const id = await undecided('Anna Keller');
    const [first, second] = [
      await createUser(api, tenant, 'COMPLIANCE'),
      await createUser(api, tenant, 'COMPLIANCE'),
    ];
    const { page, faults } = await openConsole(browser, api);
    await signInAt(page, first);
    await page.getByRole('complementary', { name: 'Selected' }).getByText('Anna Keller').waitFor();
    await page.keyboard.press('d');
    await page.getByLabel('Reason').fill('Of the first.');
    await page.context().clearCookies();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'Your session has ended' }).waitFor();
    await signInAt(page, second);
    await page.getByRole('navigation', { name: 'Pages' }).getByText(second.email).waitFor();
    expect(await page.getByRole('heading', { name: 'Block this transaction' }).count()).toBe(0);
    expect((await read(id)).status).toBe('PENDING');
    expect(faults).toEqual([]);
  });

  test('script in a name is shown as text', async () => {
    const name = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
    const id = await undecided(name);
    const reviewer = await createUser(api, tenant, 'COMPLIANCE', { name });
    const { page, faults } = await openConsole(browser, api, `#/transactions/${id}`);
    await signInAt(page, reviewer);
    await page.getByText(name, { exact: true }).first().waitFor();
    expect(await page.title()).toBe('Transactions · Waybill');
    expect(faults).toEqual([]);
  });
});
