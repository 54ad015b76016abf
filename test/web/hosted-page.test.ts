import type { Browser } from 'playwright-core';
import { accessibilityFaults, describeWithBrowser, startBrowser } from '../factories/browser.ts';
import { hostedAddress, installWallet, openBrowser } from '../factories/hosted-browser.ts';
import { createVerification, evmWallet, readVerification } from '../factories/verification.ts';
import { useApi, useTenant } from '../use-api.ts';

describeWithBrowser('the hosted page', () => {
  const { api } = useApi({ config: { RATE_LIMIT_HOSTED: 0 } });
  const tenant = useTenant(api, { name: 'Alpine Exchange' });
  let browser: Browser;
  beforeAll(async () => void (browser = await startBrowser()));
  afterAll(async () => browser.close());

  test('an owner opens the link, signs with the wallet of the browser, and is taken back to the tenant', async () => {
    await tenant.patch('/tenant/me/settings', { branding: { displayName: 'Alpine', color: '#ffcc00' } });
    const account = evmWallet();
    const made = await createVerification(tenant, {
      address: account.address,
      allowedFlows: ['SELF_DECLARED', 'SIGNATURE_PROOF'],
      redirectUrl: `${api.url}/health/live?from=app`,
    });
    const opened = await openBrowser(browser, api.url);
    const { page } = opened;
    const wallet = await installWallet(opened, account);
    const press = async (name: string) => await page.getByRole('button', { name }).click();
    // The page leaves five seconds after the end, whether it has been looked at or not: the tenant answers only then.
    let letGo = () => {};
    const isLookedAt = new Promise<void>((resolve) => void (letGo = resolve));
    await page.route('**/health/live?*', async (route) => {
      await isLookedAt;
      await route.continue();
    });
    const trouble = async (text: string) => await page.getByRole('alert').filter({ hasText: text }).waitFor();

    await page.goto(hostedAddress(api.url, made));
    await page.getByRole('heading', { name: 'How would you like to confirm it?' }).waitFor();
    expect(page.url()).toBe(`${api.url}/wallet/`);
    expect(await page.title()).toBe('Confirm your wallet – Alpine Exchange');
    expect(await page.locator('.brand').textContent()).toBe('Alpine');
    // Strongest first, and read as it is written.
    expect(await page.locator('.choice strong').allTextContents()).toEqual([
      'Sign a message',
      'Declare that it is yours',
    ]);
    // In groups to read, and whole when it is selected and copied.
    expect(await page.locator('.facts .address span').count()).toBe(10);
    expect(await page.locator('.facts .address').innerText()).toBe(account.address);
    expect(await accessibilityFaults(page)).toEqual([]);

    await press('Sign a message');
    await page.getByRole('heading', { name: 'Sign a message' }).waitFor();
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Sign a message');
    wallet.mood = 'REFUSES';
    await press('Sign with Test Wallet');
    await trouble('You have declined in the wallet');
    wallet.account = evmWallet();
    await press('Sign with Test Wallet');
    await trouble(`Choose the account ${account.address}`);
    // Beside the button, not somewhere below.
    expect(await page.getByRole('alert').isVisible()).toBe(true);
    expect(await accessibilityFaults(page)).toEqual([]);

    // A reload loses neither the link nor the place.
    await page.reload();
    wallet.account = account;
    wallet.mood = 'SIGNS';
    await press('Sign with Test Wallet');
    await page.getByRole('heading', { name: 'Your wallet is confirmed' }).waitFor();
    expect(wallet.signed).toEqual([expect.stringContaining(`Request ID: ${made.id}`)]);
    expect(await readVerification(tenant, made.id)).toMatchObject({ status: 'VERIFIED', warnings: [] });
    expect(await accessibilityFaults(page)).toEqual([]);
    letGo();
    await page.waitForURL((url) => url.pathname === '/health/live');
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      from: 'app',
      verificationId: made.id,
      status: 'VERIFIED',
    });
    expect(opened.faults).toEqual([]);
    expect(opened.requests.filter((url) => url.includes(made.token))).toHaveLength(1);
  });
});
