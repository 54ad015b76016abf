import type { Browser, Page } from 'playwright-core';
import { accessibilityFaults, describeWithBrowser, startBrowser } from '../../factories/browser.ts';
import { bulkDeliveries } from '../../factories/bulk-rows.ts';
import { openConsole, signInAt } from '../../factories/console.ts';
import { configurations, draft, rule } from '../../factories/rules.ts';
import { createTransaction, evmAddress } from '../../factories/transaction.ts';
import { createUser } from '../../factories/user.ts';
import { createVerification } from '../../factories/verification.ts';
import { useApi, useTenant } from '../../use-api.ts';

describeWithBrowser('the whole console', () => {
  const { api } = useApi({ config: { RATE_LIMIT_READS: 0, RATE_LIMIT_WRITES: 0 } });
  const tenant = useTenant(api);
  let browser: Browser;
  let page: Page;
  let faults: string[];

  beforeAll(async () => {
    browser = await startBrowser();
    const administrator = await createUser(api, tenant, 'ADMIN', { name: 'Lena Frei' });
    ({ page, faults } = await openConsole(browser, api));
    await page.getByLabel('E-mail').waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await signInAt(page, administrator);
    await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
  });
  afterAll(async () => await browser.close());

  const open = async (path: string, heading: string) => {
    await page.evaluate(`location.hash = ${JSON.stringify(`#/${path}`)}`);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    await page.locator('.waiting').first().waitFor({ state: 'detached' });
  };

  const LISTS: [string, string][] = [
    ['work', 'Work list'],
    ['proposals', 'Proposals'],
    ['transactions', 'Transactions'],
    ['verifications', 'Wallet verifications'],
    ['wallets', 'Wallets'],
    ['claims', 'Claims'],
    ['reconciliation', 'Reconciliation'],
    ['counterparties', 'Counterparties'],
    ['statistics', 'Statistics'],
    ['reports', 'Reports'],
    ['exports', 'Exports'],
    ['audit', 'Audit log'],
    ['rules', 'Rules'],
    ['deliveries', 'Deliveries'],
    ['brakes', 'Brakes'],
    ['settings', 'Settings'],
  ];

  describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
    beforeAll(async () => await page.emulateMedia({ colorScheme }));

    test.each(LISTS)('axe finds nothing on the empty page %s', async (path, heading) => {
      await open(path, heading);
      expect(await accessibilityFaults(page)).toEqual([]);
    });
  });

  describe('with records', () => {
    let transactionId = '';
    let verificationId = '';
    let rulesId = '';
    const TRANSACTION = '1.5 ETH from Far Away Exchange';
    /** With the number in the heading: a page that was there before has another. */
    const FILLED: [string, string][] = [
      ['transactions', 'Transactions 1'],
      ['verifications', 'Wallet verifications 1'],
      ['wallets', 'Wallets 1'],
    ];

    beforeAll(async () => {
      const { id } = await createTransaction(tenant, {
        direction: 'INCOMING',
        originator: { name: 'Anna Keller' },
        vaspInfo: { originatorVaspName: 'Far Away Exchange' },
        blockchainInfo: { blockchain: 'Ethereum', destination: evmAddress(), destinationType: 'CUSTODIAL' },
      });
      transactionId = id;
      verificationId = (await createVerification(tenant)).id;
      rulesId = (await configurations(tenant)).OUTGOING.id;
      await draft(tenant, rulesId, [
        rule({ decision: 'REVIEW' }),
        rule({ name: 'Larger', decision: 'WAIT', waitMinutes: 5 }),
      ]);
      await tenant.post('/wallets', { address: evmAddress(), asset: 'ETH', blockchain: 'Ethereum' });
    });

    test.each(['light', 'dark'] as const)(
      'axe finds nothing on lists, records and dialogs: %s',
      async (colorScheme) => {
        await page.emulateMedia({ colorScheme });
        const check = async () => expect(await accessibilityFaults(page)).toEqual([]);
        await open('work', 'Work list');
        await page.getByRole('complementary', { name: 'Selected' }).getByText('Anna Keller').waitFor();
        await check();
        for (const [path, heading] of FILLED) {
          await open(path, heading);
          await check();
        }
        await open(`transactions/${transactionId}`, TRANSACTION);
        await page.getByText('The chain of').waitFor();
        await check();
        await page.keyboard.press('d');
        await page.getByRole('dialog').getByLabel('Reason').waitFor();
        await check();
        await page.keyboard.press('Escape');
        await page.keyboard.press('?');
        await page.getByRole('heading', { name: 'Keyboard' }).waitFor();
        await check();
        await page.keyboard.press('Escape');
        await open(`verifications/${verificationId}`, 'Wallet verification');
        await check();
        await open(`rules/${rulesId}`, 'Outgoing transactions');
        await page.getByText('Large', { exact: true }).click();
        await check();
        await open('settings', 'Settings');
        await page.getByRole('button', { name: 'New key' }).click();
        await page.getByRole('dialog').getByLabel('Name').waitFor();
        await check();
        await page.keyboard.press('Escape');
      },
    );

    test('nothing is cut off at 320 pixels', async () => {
      await page.setViewportSize({ width: 320, height: 700 });
      const records: [string, string][] = [
        [`transactions/${transactionId}`, TRANSACTION],
        [`verifications/${verificationId}`, 'Wallet verification'],
        [`rules/${rulesId}`, 'Outgoing transactions'],
      ];
      const cut: string[] = [];
      for (const [path, heading] of [...LISTS, ...records]) {
        await open(path, heading);
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        if (width > 320) cut.push(`${path}: ${width}`);
      }
      await page.setViewportSize({ width: 1280, height: 800 });
      expect(cut).toEqual([]);
    });
  });

  test('a list of 10,000 rows has few of them in the document, wherever it is scrolled to', async () => {
    const count = 10_000;
    await bulkDeliveries(api.db.pool, [tenant.id], {
      count,
      wakeAt: 'null::timestamptz',
      createdAt: `now() - n * interval '1 second'`,
      finishedAt: 'now()',
    });
    await open('deliveries', 'Deliveries 10,000');
    const grid = page.getByRole('grid');
    expect(await grid.getAttribute('aria-rowcount')).toBe(String(count + 1));
    const rows = page.locator('.rows .row');
    for (const share of [0.25, 0.5, 0.9]) {
      const index = Math.floor(count * share);
      await page.evaluate(`document.querySelector('.grid').scrollTop = ${index * 40}`);
      await page.locator(`#row-${index}`).getByText('Delivered').waitFor();
      expect(await rows.count()).toBeLessThan(60);
    }
    await grid.focus();
    await page.keyboard.press('End');
    await page.locator(`#row-${count - 1}.selected`).waitFor();
    expect(await rows.count()).toBeLessThan(60);
    expect(faults).toEqual([]);
  });
});
