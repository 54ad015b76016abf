import type { Page } from 'playwright-core';
import { eventually } from '../eventually.ts';
import { jpeg, png } from '../factories/evidence.ts';
import { installWallet } from '../factories/hosted-browser.ts';
import { evmWallet, readVerification, type WalletVerification } from '../factories/verification.ts';
import { useHostedGround } from './hosted-ground.ts';
import { describeWithBrowser } from '../factories/browser.ts';

describeWithBrowser('proofs on the hosted page', () => {
  const ground = useHostedGround();
  const { tenant } = ground;

  const press = async (page: Page, name: string) =>
    await page.getByRole('button', { name, exact: true }).click();
  const heading = async (page: Page, name: string) =>
    await page.getByRole('heading', { name, exact: true }).waitFor();
  const trouble = async (page: Page, text: string) =>
    await page.getByRole('alert').filter({ hasText: text }).waitFor();
  const read = async ({ id }: WalletVerification) => await readVerification(tenant, id);

  test('a signature that was made elsewhere is pasted; a wrong one says how many attempts are left', async () => {
    const wallet = evmWallet();
    const made = await ground.create({ address: wallet.address, allowedFlows: ['SIGNATURE_PROOF'] });
    const { page, faults } = await ground.open(made);
    // The only way of proof opens by itself.
    await heading(page, 'Sign a message');
    await page.getByText('No wallet was found in this browser.').waitFor();
    await page.getByText('Sign elsewhere and paste').click();
    const message = await page.getByLabel('Text', { exact: true }).inputValue();
    const field = page.getByLabel('Signature', { exact: true });
    await field.fill('0x12');
    await press(page, 'Send the signature');
    await trouble(page, 'This is not a complete signature.');
    await field.fill(await evmWallet().signMessage({ message }));
    await press(page, 'Send the signature');
    await trouble(page, 'Attempts left: 8.');
    await field.fill(`  ${await wallet.signMessage({ message })}\n`);
    await press(page, 'Send the signature');
    await heading(page, 'Your wallet is confirmed');
    expect(faults).toEqual([]);
  });

  test('the last wrong signature ends the verification, and the page says so', async () => {
    const made = await ground.create({ allowedFlows: ['SIGNATURE_PROOF'] });
    const opened = await ground.open(made);
    const { page } = opened;
    await page.getByText('Sign elsewhere and paste').click();
    const message = await page.getByLabel('Text', { exact: true }).inputValue();
    for (let left = 9; left >= 0; left -= 1) {
      await page.getByLabel('Signature', { exact: true }).fill(await evmWallet().signMessage({ message }));
      await press(page, 'Send the signature');
      if (left > 0) await trouble(page, `Attempts left: ${left}.`);
    }
    await heading(page, 'Too many wrong attempts');
  });

  test('a text that has expired is replaced, and the new one can be signed', async () => {
    const wallet = evmWallet();
    const made = await ground.create({ address: wallet.address, allowedFlows: ['SIGNATURE_PROOF'] });
    const { page } = await ground.open(made);
    await page.getByText('Sign elsewhere and paste').click();
    const message = await page.getByLabel('Text', { exact: true }).inputValue();
    // Another text is the valid one now, as after ten minutes.
    await page.route('**/verification/proof', async (route) => {
      const body = route.request().postDataJSON() as object;
      await route.continue({ postData: JSON.stringify({ ...body, message: `${message} ` }) });
    });
    await page.getByLabel('Signature', { exact: true }).fill(await wallet.signMessage({ message }));
    await press(page, 'Send the signature');
    await trouble(page, 'The text had expired, so there is a new one.');
    await page.unroute('**/verification/proof');
    const fresh = await page.getByLabel('Text', { exact: true }).inputValue();
    await page.getByLabel('Signature', { exact: true }).fill(await wallet.signMessage({ message: fresh }));
    await press(page, 'Send the signature');
    await heading(page, 'Your wallet is confirmed');
  });

  test.each([
    ['WAITS', 'Your wallet already waits for your answer.'],
    ['CANNOT_SIGN', 'This wallet cannot sign messages.'],
  ] as const)('a wallet that %s is told of in plain words', async (mood, text) => {
    const account = evmWallet();
    const opened = await ground.open(await ground.create({ address: account.address }));
    const wallet = await installWallet(opened, account, '<img src=x onerror=alert(1)>');
    wallet.mood = mood;
    const { page } = opened;
    await page.reload();
    await page.getByRole('button', { name: 'Sign a message' }).click();
    await press(page, 'Sign with <img src=x onerror=alert(1)>');
    await trouble(page, text);
    expect(opened.faults).toEqual([]);
  });

  describe('wallets of other chains', () => {
    const CASES = [
      {
        name: 'sats-connect',
        body: { asset: 'BTC', blockchain: 'Bitcoin', address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' },
        wallet: 'Xverse',
        script: `window.XverseProviders = { BitcoinProvider: { request: async (method, params) => {
        window.asked = [...(window.asked ?? []), [method, params]];
        if (method === 'getAccounts') return { result: [{ address: ADDRESS }] };
        return { result: { signature: 'c2lnbmVk' } };
      } } };
      window.btc_providers = [{ id: 'XverseProviders.BitcoinProvider', name: 'Xverse' }];`,
        signature: 'c2lnbmVk',
      },
      {
        name: 'Unisat',
        body: {
          asset: 'BTC',
          blockchain: 'Bitcoin',
          address: 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
        },
        wallet: 'Unisat',
        script: `window.unisat = { requestAccounts: async () => [ADDRESS],
        signMessage: async (text, type) => type };`,
        signature: 'bip322-simple',
      },
      {
        name: 'Phantom',
        body: { asset: 'SOL', blockchain: 'Solana', address: 'FZLEwSXaYsDQZUtRpsLTTVfoYBHJaV5aGWCbFF3m1XSv' },
        wallet: 'Phantom',
        script: `window.phantom = { solana: { publicKey: null,
        async connect() { this.publicKey = { toString: () => ADDRESS }; },
        signMessage: async (bytes) => ({ signature: new Uint8Array(64).fill(bytes.length > 0 ? 7 : 0) }) } };`,
        signature: Buffer.alloc(64, 7).toString('base64'),
      },
      {
        name: 'TronLink',
        body: { asset: 'TRX', blockchain: 'Tron', address: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' },
        wallet: 'TronLink',
        script: `window.tronLink = { request: async () => ({ code: 200 }) };
        window.tronWeb = { defaultAddress: { base58: ADDRESS }, trx: { signMessageV2: async () => '0xsigned' } };`,
        signature: '0xsigned',
      },
    ];

    test.each(CASES)('$name is found, asked for the account, and its signature is sent', async (one) => {
      const made = await ground.create({ ...one.body, allowedFlows: ['SIGNATURE_PROOF'] });
      const { context, page, faults } = await ground.open(made);
      await context.addInitScript(`const ADDRESS = ${JSON.stringify(one.body.address)}; ${one.script}`);
      const sent: { message: string; signature: string }[] = [];
      await page.route('**/verification/proof', async (route) => {
        sent.push(route.request().postDataJSON() as (typeof sent)[number]);
        await route.continue();
      });
      await page.reload();
      await press(page, `Sign with ${one.wallet}`);
      // The service does not take what this wallet signs with.
      await page.getByRole('alert').waitFor();
      expect(sent).toEqual([
        {
          verificationFlow: 'SIGNATURE_PROOF',
          message: expect.stringContaining(made.id),
          signature: one.signature,
        },
      ]);
      expect(faults).toEqual([]);
    });

    test('a chain without wallets for browsers shows the text at once', async () => {
      const made = await ground.create({
        asset: 'LTC',
        blockchain: 'Litecoin',
        address: 'LMHEFMwRsQ3nHDfb9zZqynLHxjuJ2hgyyW',
        allowedFlows: ['SIGNATURE_PROOF'],
      });
      const { page } = await ground.open(made);
      await page.getByLabel('Signature', { exact: true }).waitFor();
      expect(await page.getByText('No wallet was found').count()).toBe(0);
    });
  });

  test('on a phone the page opens in the app of a wallet, with its link and without a third party', async () => {
    const made = await ground.create({ allowedFlows: ['SIGNATURE_PROOF'] });
    const { page } = await ground.open(made, {
      viewport: { width: 390, height: 700 },
      hasTouch: true,
      isMobile: true,
    });
    await page.getByRole('link', { name: 'Open in MetaMask' }).waitFor();
    const links = await page.evaluate<string[]>(
      "[...document.querySelectorAll('main a')].map(({ href }) => href)",
    );
    expect(links[0]).toBe(
      `metamask://dapp/${ground.api.url.replace('http://', '')}/wallet/?token=${made.token}`,
    );
    expect(links.every((link) => /^(?:metamask|trust|cbwallet|okx):\/\//.test(link))).toBe(true);
  });

  test('a transfer is followed from "sent" over each confirmation to the end', async () => {
    const made = await ground.create({});
    const { page, context } = await ground.open(made);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Send a small amount' }).click();
    const { amount, depositAddress } = made.satoshiFlow;
    for (const [index, text] of [amount, depositAddress].entries()) {
      const button = page.getByRole('button', { name: /^Cop/ }).nth(index);
      await button.click();
      await button.filter({ hasText: 'Copied' }).waitFor();
      expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(text);
    }
    await press(page, 'I have sent it');
    await page.getByText('We are looking for your transfer').waitFor();
    expect((await read(made)).flow).toBe('SATOSHI_TEST');
    await ground.database.pool.query(`update verifications set warnings = '["WRONG_AMOUNT"]' where id = $1`, [
      made.id,
    ]);
    await page.evaluate("dispatchEvent(new Event('online'))");
    await trouble(page, 'A transfer with another amount has come.');
    // What to send still stands there.
    expect(await page.getByText(`${amount} ETH`).isVisible()).toBe(true);
    for (const depth of [1, 12]) {
      await ground.confirm(made, depth);
      await page.evaluate("dispatchEvent(new Event('online'))");
      await page.getByText(`${depth} of 12 confirmations`).waitFor();
    }
    // After a reload the page is where it was.
    await page.reload();
    await page.getByText('12 of 12 confirmations').waitFor();
  });

  describe('files', () => {
    const image = { name: 'one.png', mimeType: 'image/png', buffer: png() };

    test('are checked one by one, and what is not accepted can be removed', async () => {
      const made = await ground.create({ allowedFlows: ['VISUAL_PROOF'] });
      const { page } = await ground.open(made);
      const large = { name: 'large.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(6_000_000) };
      const empty = { name: 'empty.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(0) };
      await page.getByLabel('Choose files').setInputFiles([image, large, empty]);
      await page.locator('.files li').nth(2).waitFor();
      expect(
        (await page.locator('.files small').allTextContents()).map((text) => text.split('·')[1]?.trim()),
      ).toEqual(['Ready', 'Larger than 5 MB.', 'This file is empty.']);
      // Three are the most.
      expect(await page.getByLabel('Choose files').count()).toBe(0);
      await press(page, 'Send the files');
      await trouble(page, 'Remove the files that are not accepted.');
      await press(page, 'Remove large.jpg');
      await press(page, 'Remove empty.pdf');
      await press(page, 'Send the files');
      await heading(page, 'Received: a person looks at it');
      const { body } = await tenant.get<{ name: string }[]>(`/wallet-verification/${made.id}/files`);
      expect(body.map(({ name }) => name)).toEqual(['one.png']);
    });

    test('that the service refuses stay, and others can be sent', async () => {
      const { page } = await ground.open(await ground.create({ allowedFlows: ['VISUAL_PROOF'] }));
      const lie = { name: 'lie.png', mimeType: 'image/png', buffer: Buffer.from('no picture') };
      await page.getByLabel('Choose files').setInputFiles([lie]);
      await press(page, 'Send the files');
      await trouble(page, 'A file was not accepted');
      await press(page, 'Remove lie.png');
      await page
        .getByLabel('Choose files')
        .setInputFiles([{ ...image, buffer: jpeg(), name: 'b.jpg', mimeType: 'image/jpeg' }]);
      await press(page, 'Send the files');
      await heading(page, 'Received: a person looks at it');
    });

    test('can be sent again when the connection breaks, and are there once', async () => {
      const made = await ground.create({ allowedFlows: ['VISUAL_PROOF'] });
      const { page } = await ground.open(made);
      await page.route('**/verification/proof', async (route) => await route.abort('connectionreset'));
      await page.getByLabel('Choose files').setInputFiles([image]);
      await press(page, 'Send the files');
      await trouble(page, 'The connection was lost while sending.');
      await page.unroute('**/verification/proof');
      await press(page, 'Send the files');
      await heading(page, 'Received: a person looks at it');
      const { body } = await tenant.get<unknown[]>(`/wallet-verification/${made.id}/files`);
      expect(body).toHaveLength(1);
    });

    test('show how far they are while they are sent slowly, and sending can be cancelled', async () => {
      const { page, context } = await ground.open(await ground.create({ allowedFlows: ['VISUAL_PROOF'] }));
      const network = await context.newCDPSession(page);
      await network.send('Network.enable');
      const slow = { offline: false, latency: 50, downloadThroughput: 50_000, uploadThroughput: 50_000 };
      await network.send('Network.emulateNetworkConditions', slow);
      await page
        .getByLabel('Choose files')
        .setInputFiles([{ ...image, buffer: png({ padding: 2_000_000 }) }]);
      await press(page, 'Send the files');
      const shares = await eventually(
        async () => Number(await page.getByRole('progressbar').getAttribute('value')),
        (share) => share > 0 && share < 1,
      );
      expect(shares).toBeGreaterThan(0);
      await press(page, 'Cancel');
      await page.getByRole('button', { name: 'Send the files' }).waitFor();
      expect(await page.getByRole('button', { name: 'Remove one.png' }).count()).toBe(1);
    });
  });

  test('a declaration needs the name and the tick, and the tenant has both texts', async () => {
    const made = await ground.create({ allowedFlows: ['SELF_DECLARED'] });
    const { page } = await ground.open(made);
    await press(page, 'Declare');
    await trouble(page, 'Enter your full name.');
    await page.getByLabel('Your full name').fill('Anna <script>Keller</script>');
    await press(page, 'Declare');
    await trouble(page, 'Tick the box');
    await page.getByLabel('I confirm this declaration.').check();
    await press(page, 'Declare');
    await heading(page, 'Your wallet is confirmed');
    expect((await read(made)).declaration).toEqual({
      name: 'Anna <script>Keller</script>',
      statement: expect.stringContaining(made.address) as string,
    });
  });

  test('after the proof the steps that are left are done one by one, with the camera too', async () => {
    const made = await ground.create({
      allowedFlows: ['SELF_DECLARED'],
      additionalSteps: [{ kind: 'SELFIE' }, { kind: 'SOURCE_OF_FUNDS_WEALTH' }],
      redirectUrl: 'https://app.example/back',
    });
    const { page, faults } = await ground.open(made);
    await page.getByRole('button', { name: 'Declare that it is yours' }).click();
    await page.getByLabel('Your full name').fill('Anna Keller');
    await page.getByLabel('I confirm this declaration.').check();
    await press(page, 'Declare');
    await page.getByText('Only the following is missing.').waitFor();
    // Nobody is sent away while something is missing.
    expect(await page.getByRole('link', { name: 'Back to Alpine Exchange' }).count()).toBe(0);

    await page.getByRole('button', { name: 'A picture of yourself' }).click();
    await press(page, 'Use the camera');
    await eventually(
      async () => await page.evaluate<number>("document.querySelector('video')?.videoWidth ?? 0"),
      (width) => width > 0,
    );
    await press(page, 'Take the picture');
    await page.getByRole('button', { name: /^Remove camera-/ }).waitFor();
    await press(page, 'Send the files');
    await page.getByText('Being reviewed').waitFor();
    await page.getByRole('button', { name: 'Source of your funds' }).click();
    await page
      .getByLabel('Choose files')
      .setInputFiles([{ name: 'slip.png', mimeType: 'image/png', buffer: png() }]);
    await press(page, 'Send the files');
    await page.getByRole('link', { name: 'Back to Alpine Exchange' }).waitFor();
    await press(page, 'Stay here');
    const { additionalSteps } = await read(made);
    expect(additionalSteps.map(({ kind, status, metadata }) => [kind, status, metadata])).toEqual([
      ['SELFIE', 'ACTION_REQUIRED', { sources: ['CAMERA'] }],
      ['SOURCE_OF_FUNDS_WEALTH', 'ACTION_REQUIRED', null],
    ]);
    expect(faults).toEqual([]);
  });
});
