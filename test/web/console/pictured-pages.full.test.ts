import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import { projectRoot } from '../../../standalone/project-root.ts';
import { eventually } from '../../eventually.ts';
import { accessibilityFaults, describeWithBrowser, startBrowser } from '../../factories/browser.ts';
import { openConsole, signInAt } from '../../factories/console.ts';
import { configurations, draft, rule } from '../../factories/rules.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createTransaction, evmAddress } from '../../factories/transaction.ts';
import { createUser } from '../../factories/user.ts';
import { createVerification, submit } from '../../factories/verification.ts';
import { startTestSystem, type TestSystem } from '../../system.ts';

describeWithBrowser('pages of the console in use', () => {
  let system: TestSystem;
  let tenant: TestTenant;
  let browser: Browser;
  let page: Page;
  let faults: string[];
  let heldId = '';
  let rulesId = '';

  const nextAction = async (id: string, wanted: string) =>
    await eventually(
      async () => (await tenant.get<Transaction>(`/transactions/${id}`)).body,
      ({ clearance }) => clearance.nextAction === wanted,
    );

  /** One record of each kind that waits for a person. */
  async function fillWorkList(): Promise<void> {
    rulesId = (await configurations(tenant)).OUTGOING.id;
    await draft(tenant, rulesId, [
      rule({ name: 'Large transfers', decision: 'REVIEW' }),
      rule({
        name: 'Countries under embargo',
        conditions: { field: 'beneficiaryCountry', operator: 'IN', value: ['IR', 'KP'] },
      }),
    ]);
    const held = await createTransaction(tenant, {
      originator: { type: 'NATURAL', name: 'Barnabas Ravenscrofft' },
      beneficiary: { type: 'NATURAL', name: 'Jonas Brandt' },
      vaspInfo: { beneficiaryVaspName: 'Harbour Custody' },
    });
    heldId = held.id;
    await nextAction(heldId, 'REVIEW');
    const lost = await createTransaction(tenant, { vaspInfo: { beneficiaryVaspName: 'Nowhere Exchange' } });
    await nextAction(lost.id, 'FIX_ROUTING');
    const own = await createTransaction(tenant, {
      direction: 'INCOMING',
      originator: { name: 'Anna Keller' },
      vaspInfo: { originatorVaspName: 'Far Away Exchange' },
      blockchainInfo: { blockchain: 'Ethereum', destination: evmAddress(), destinationType: 'CUSTODIAL' },
    });
    await nextAction(own.id, 'REVIEW');
    const { id } = await createVerification(tenant, { allowedFlows: ['SELF_DECLARED'] });
    await submit(tenant, id, { verificationFlow: 'SELF_DECLARED' });
  }

  beforeAll(async () => {
    system = await startTestSystem();
    tenant = await createTenant(system, { name: 'Alpine Exchange' });
    await createTenant(system, { name: 'Harbour Custody' });
    await fillWorkList();
    await tenant.post('/tenant/me/brakes', { kind: 'WEBHOOKS', reason: 'Our receiver is being moved.' });
    const purpose = 'Yearly audit.';
    const asked = { resource: 'transactions', format: 'CSV', purpose };
    const { body } = await tenant.post<{ id: string }>('/exports', asked);
    const read = async () => (await tenant.get<{ status: string }>(`/exports/${body.id}`)).body;
    await eventually(read, ({ status }) => status === 'READY');
    browser = await startBrowser();
    ({ page, faults } = await openConsole(browser, system));
    await signInAt(page, await createUser(system, tenant, 'ADMIN', { name: 'Lena Frei' }));
    await page.getByRole('complementary', { name: 'Selected' }).waitFor();
  });
  afterAll(async () => {
    await browser.close();
    await system.stop();
  });

  /** Pages as they are in use; `RECORD_SCREENSHOTS=1 npm run test:full -- test/web/console` makes their pictures in docs/images anew. */
  const PAGES: { name: string; scheme: 'light' | 'dark'; show: () => Promise<unknown> }[] = [
    {
      name: 'work-list',
      scheme: 'light',
      show: async () => {
        await open('work', 'Work list');
        await page.getByRole('row').filter({ hasText: 'Possible sanctions match' }).waitFor();
        await page.keyboard.press('j');
        await page
          .getByRole('row', { selected: true })
          .filter({ hasText: 'Possible sanctions match' })
          .waitFor();
        await page.getByText('Barnabas Ravenscrofft fits').waitFor();
      },
    },
    {
      name: 'transaction',
      scheme: 'light',
      show: async () => {
        await open(`transactions/${heldId}`, 'Harbour Custody');
        await page.getByRole('button', { name: 'Not the same' }).waitFor();
        await page.getByText('Missing for Regulation').evaluate('(element) => element.scrollIntoView()');
      },
    },
    {
      name: 'decision-dark',
      scheme: 'dark',
      show: async () => {
        await open(`transactions/${heldId}`, 'Harbour Custody');
        await page.getByRole('button', { name: 'Block' }).click();
        await page.getByLabel('Reason').fill('The originator is on OFAC’s list.');
      },
    },
    {
      name: 'rules',
      scheme: 'light',
      show: async () => {
        await open(`rules/${rulesId}`, 'Outgoing transactions');
        await page.getByText('Large transfers').first().waitFor();
      },
    },
    {
      name: 'brakes',
      scheme: 'light',
      show: async () => {
        await open('brakes', 'Brakes');
        await page.getByText('Our receiver is being moved.').waitFor();
      },
    },
    {
      name: 'exports',
      scheme: 'light',
      show: async () => {
        await open('exports', 'Exports');
        await page.getByText('Yearly audit.').waitFor();
      },
    },
  ];

  async function open(path: string, heading: string): Promise<void> {
    await page.evaluate(`location.hash = ${JSON.stringify(`#/${path}`)}`);
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
  }

  test.each(PAGES)('$name is accessible and breaks no rule of its policy', async ({ name, scheme, show }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await show();
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
    if (process.env['RECORD_SCREENSHOTS']) {
      await page.screenshot({ path: join(projectRoot, 'docs', 'images', `console-${name}.png`) });
    }
    await page.keyboard.press('Escape');
  });
});
