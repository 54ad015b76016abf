import type { Browser } from 'playwright-core';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import { eventually } from '../../eventually.ts';
import { describeWithBrowser, startBrowser } from '../../factories/browser.ts';
import { openConsole, signInAt } from '../../factories/console.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction, evmAddress } from '../../factories/transaction.ts';
import { createUser, type TestUser } from '../../factories/user.ts';
import { startTestSystem, type TestSystem } from '../../system.ts';

describeWithBrowser('the console on a running system', () => {
  let system: TestSystem;
  let tenant: TestTenant;
  let reviewer: TestUser;
  let browser: Browser;

  beforeAll(async () => {
    system = await startTestSystem();
    tenant = await createTenant(system);
    reviewer = await createUser(system, tenant, 'COMPLIANCE');
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await system.stop();
  });

  test('a transfer of a listed person is held, read with both names side by side, and blocked from the keyboard', async () => {
    const { id } = await createTransaction(tenant, {
      originator: { type: 'NATURAL', name: 'Barnabas Ravenscrofft' },
      beneficiary: { type: 'NATURAL', name: 'Jonas Brandt' },
    });
    const read = async () => (await tenant.get<Transaction>(`/transactions/${id}`)).body;
    await eventually(read, ({ clearance }) => clearance.nextAction === 'REVIEW');
    const { page, faults } = await openConsole(browser, system);
    await signInAt(page, reviewer);
    const preview = page.getByRole('complementary', { name: 'Selected' });
    await preview.getByText('Barnabas Ravenscrofft fits Barnabas Ravenscroft on OFAC_SDN').waitFor();
    await page.keyboard.press('Enter');
    const names = page.getByRole('table', { name: 'Screened and listed name, word by word' });
    await names.getByRole('row', { name: 'ravenscrofft ravenscroft Spelling' }).waitFor();
    await page.getByRole('button', { name: 'Not the same' }).click();
    await page.getByLabel('How you know').waitFor();
    await page.keyboard.type('Another date of birth.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('The match is suppressed.').waitFor();
    await page.keyboard.press('d');
    await page.getByLabel('Reason').waitFor();
    await page.keyboard.type('He is listed.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('The transaction is blocked.').waitFor();
    await page.getByText('He is listed.').first().waitFor();
    expect(await read()).toMatchObject({ status: 'CANCELLED', subStatus: 'BLOCKED_BY_REVIEW' });
    expect(faults).toEqual([]);
  });

  test('a CSV file with a fault is told by row and imports nothing; the right one is imported', async () => {
    const { page, faults } = await openConsole(browser, system, '#/wallets');
    await signInAt(page, reviewer);
    await page.getByText('Upload a CSV file', { exact: true }).click();
    const choose = async (text: string) => {
      const file = { name: 'wallets.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
      await page.getByLabel('File').setInputFiles(file);
    };
    const right = evmAddress();
    await choose(`address,asset,blockchain\n${right},*,Ethereum\nnonsense,*,Ethereum\n`);
    await page.getByText('Nothing was imported.').waitFor();
    await page.getByRole('row', { name: '3 address' }).waitFor();
    expect((await tenant.get<unknown[]>('/wallets')).body).toEqual([]);
    await choose(`address,asset,blockchain\n${right},*,Ethereum\n`);
    await page.getByText('1 row: 1 new').waitFor();
    await page.getByRole('row').filter({ hasText: right }).waitFor();
    expect(faults).toEqual([]);
  });
});
