import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { eventually } from '../eventually.ts';
import { hostedAddress } from '../factories/hosted-browser.ts';
import { readVerification } from '../factories/verification.ts';
import { useHostedGround } from './hosted-ground.ts';
import { describeWithBrowser } from '../factories/browser.ts';

describeWithBrowser('the hosted page in hard times', () => {
  const ground = useHostedGround();
  const { api, tenant } = ground;

  const press = async (page: Page, name: string) =>
    await page.getByRole('button', { name, exact: true }).click();
  const choose = async (page: Page, title: string) => await page.getByRole('button', { name: title }).click();
  const heading = async (page: Page, name: string) =>
    await page.getByRole('heading', { name, exact: true }).waitFor();
  const overflow = async (page: Page) =>
    await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );

  async function declare(page: Page): Promise<void> {
    await page.getByLabel('Your full name').fill('Anna Keller');
    await page.getByLabel('I confirm this declaration.').check();
    await press(page, 'Declare');
  }

  const shows = async (page: Page, { address }: { address: string }) =>
    await eventually(
      async () => (await page.locator('main').innerText()).replaceAll(/\s/g, ''),
      (text) => text.includes(address),
    );

  test('two links one after the other in a tab: back leads to the first, and other pages of the host read no token', async () => {
    const [first, second] = [await ground.create(), await ground.create()];
    const { page } = await ground.open(first);
    await shows(page, first);
    await page.goto(hostedAddress(ground.api.url, second));
    await shows(page, second);
    await page.goBack();
    await shows(page, first);
    await page.reload();
    await shows(page, first);
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')).not.toContain(
      first.token,
    );
    expect(page.url()).not.toContain(first.token);
  });

  test('a browser whose language is no tag shows the page as others do', async () => {
    const made = await ground.create();
    const { context, faults } = await ground.open(made);
    await context.addInitScript(
      `Object.defineProperty(navigator, 'languages', { get: () => ['en-US@posix', 'C'] })`,
    );
    const page = await context.newPage();
    await page.goto(hostedAddress(api.url, made));
    await shows(page, made);
    expect(faults).toEqual([]);
  });

  test('back and forward go from screen to screen, and a reload stays', async () => {
    const { page } = await ground.open(await ground.create());
    await choose(page, 'Declare that it is yours');
    await page.goBack();
    await heading(page, 'How would you like to confirm it?');
    await page.goForward();
    await heading(page, 'Declare that it is yours');
    await page.reload();
    await heading(page, 'Declare that it is yours');
    await page.getByRole('button', { name: 'Use another way' }).click();
    await heading(page, 'How would you like to confirm it?');
  });

  test('a lost connection keeps what was typed, says so, and goes on by itself', async () => {
    const made = await ground.create();
    const { page, context } = await ground.open(made);
    await choose(page, 'Declare that it is yours');
    await page.getByLabel('Your full name').fill('Anna Keller');
    await page.getByLabel('I confirm this declaration.').check();
    await context.setOffline(true);
    await press(page, 'Declare');
    await page.getByRole('status').filter({ hasText: 'No connection.' }).waitFor();
    expect(await page.getByLabel('Your full name').inputValue()).toBe('Anna Keller');
    await context.setOffline(false);
    await page.locator('.banner').waitFor({ state: 'detached' });
    await press(page, 'Declare');
    await heading(page, 'Your wallet is confirmed');
  });

  test('opened without a connection to the service, the page begins when there is one', async () => {
    const { page } = await ground.open(await ground.create());
    await page.route('**/wallet/verification', async (route) => await route.abort());
    await page.reload();
    await page.getByRole('status').filter({ hasText: 'No connection.' }).waitFor();
    await page.unroute('**/wallet/verification');
    await page.evaluate("dispatchEvent(new Event('online'))");
    await heading(page, 'How would you like to confirm it?');
  });

  test('two tabs: what one has done the other shows, and nothing is done twice', async () => {
    const made = await ground.create();
    const { page, context } = await ground.open(made);
    const second = await context.newPage();
    await second.goto(hostedAddress(api.url, made));
    for (const tab of [page, second]) await choose(tab, 'Declare that it is yours');
    await page.bringToFront();
    await declare(page);
    await heading(page, 'Your wallet is confirmed');
    await second.bringToFront();
    await heading(second, 'Your wallet is confirmed');
    const { body } = await tenant.get<{ type: string }[]>(`/wallet-verification/${made.id}/events`);
    expect(body.filter(({ type }) => type === 'PROOF_ACCEPTED')).toHaveLength(1);
  });

  test('a tab that is too late shows what has become of the verification', async () => {
    const made = await ground.create();
    const { page } = await ground.open(made);
    await choose(page, 'Declare that it is yours');
    await tenant.post(`/sandbox/wallet-verification/${made.id}/fire-timer`);
    await declare(page);
    await heading(page, 'The time is over');
  });

  test('script in names is text', async () => {
    const hostile = '<img src=x onerror=alert(1)>';
    await tenant.patch('/tenant/me/settings', { branding: { displayName: hostile } });
    const { page, faults } = await ground.open(await ground.create({ allowedFlows: ['VISUAL_PROOF'] }));
    const png = Buffer.from('89504e470d0a1a0a', 'hex');
    await page
      .getByLabel('Choose files')
      .setInputFiles([{ name: '<script>alert(1)</script>.png', mimeType: 'image/png', buffer: png }]);
    expect(await page.locator('.brand').textContent()).toBe(hostile);
    expect(await page.locator('.file-name').textContent()).toBe('<script>alert(1)</script>.png');
    await tenant.patch('/tenant/me/settings', { branding: { displayName: null } });
    expect(faults).toEqual([]);
  });

  describe('in a frame', () => {
    const frames = async (origins: (own: string) => string[] | null, use: (page: Page) => Promise<void>) => {
      const made = await ground.create({ allowedFlows: ['SELF_DECLARED'] });
      const site = createServer((_request, response) => {
        const script = `addEventListener('message', ({ data }) => { document.title = JSON.stringify(data); })`;
        response.setHeader('Content-Type', 'text/html; charset=utf-8');
        response.end(
          `<title>shop</title><script>${script}</script><iframe width=600 height=800 src="${hostedAddress(api.url, made)}"></iframe>`,
        );
      }).listen(0, '127.0.0.1');
      await once(site, 'listening');
      const own = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
      try {
        await tenant.patch('/tenant/me/settings', { branding: { frameOrigins: origins(own) } });
        const { page } = await ground.open(made);
        await page.goto(own);
        await use(page);
      } finally {
        await tenant.patch('/tenant/me/settings', { branding: { frameOrigins: null } });
        site.closeAllConnections();
        site.close();
      }
    };

    test('of a site that the tenant has named it works, and tells that site the outcome', async () => {
      await frames(
        (own) => [own],
        async (page) => {
          const frame = page.frameLocator('iframe');
          await frame.getByLabel('Your full name').fill('Anna Keller');
          await frame.getByLabel('I confirm this declaration.').check();
          await frame.getByRole('button', { name: 'Declare', exact: true }).click();
          await frame.getByRole('heading', { name: 'Your wallet is confirmed' }).waitFor();
          const title = await eventually(
            async () => await page.title(),
            (text) => text.includes('VERIFIED'),
          );
          expect(JSON.parse(title)).toEqual({
            type: 'waybill.verification',
            verificationId: expect.any(String) as string,
            status: 'VERIFIED',
          });
        },
      );
    });

    test('of any other site it is not shown', async () => {
      await frames(
        () => ['https://app.example'],
        async (page) => {
          const [, frame] = page.frames();
          // The browser puts a page of its own there; one that is still loading would be empty too.
          expect(frame?.url()).toBe('chrome-error://chromewebdata/');
        },
      );
    });
  });

  describe('on small screens and in large letters', () => {
    test.each([
      ['320 pixels', { viewport: { width: 320, height: 640 } }],
      ['200 % zoom of a small window', { viewport: { width: 480, height: 360 }, deviceScaleFactor: 2 }],
    ])('%s: nothing has to be scrolled sideways, in either direction of writing', async (_name, options) => {
      const { page } = await ground.open(
        await ground.create({ additionalSteps: [{ kind: 'SELFIE' }] }),
        options,
      );
      const check = async () => {
        expect(await overflow(page)).toBe(0);
        await page.evaluate("document.documentElement.dir = 'rtl'");
        expect(await overflow(page)).toBe(0);
      };
      await check();
      for (const title of [
        'Sign a message',
        'Send a small amount',
        'Show your wallet',
        'Declare that it is yours',
      ]) {
        await choose(page, title);
        await heading(page, title);
        if (title === 'Sign a message') await page.getByText('What you will sign').waitFor();
        await check();
        await page.getByRole('button', { name: 'Use another way' }).click();
        await heading(page, 'How would you like to confirm it?');
      }
    });
  });

  describe('languages', () => {
    test.each([
      ['de-CH', 'de', 'Wie möchten Sie sie bestätigen?'],
      ['fr-FR', 'fr', 'Comment souhaitez-vous le confirmer ?'],
      ['es-MX', 'es', '¿Cómo desea confirmarlo?'],
      ['it-IT', 'it', 'Come vuoi confermarlo?'],
      ['ja-JP', 'en', 'How would you like to confirm it?'],
    ])('a browser in %s gets %s', async (locale, language, text) => {
      const { page } = await ground.open(await ground.create(), { locale });
      await heading(page, text);
      expect(await page.evaluate<string>('document.documentElement.lang')).toBe(language);
    });

    test('the address may name one, and the reader may choose another, which is kept', async () => {
      const made = await ground.create();
      const { page } = await ground.open(made);
      await page.goto(`${hostedAddress(api.url, made)}&lang=it`);
      await heading(page, 'Come vuoi confermarlo?');
      await page.getByLabel('Lingua').selectOption('de');
      await heading(page, 'Wie möchten Sie sie bestätigen?');
      await page.reload();
      await heading(page, 'Wie möchten Sie sie bestätigen?');
    });
  });

  test('the first screen can be used within a second on a processor that is four times slower', async () => {
    const made = await ground.create();
    const { page, context } = await ground.open(made);
    const cpu = await context.newCDPSession(page);
    await cpu.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    await page.goto('about:blank');
    await page.goto(hostedAddress(api.url, made));
    await heading(page, 'How would you like to confirm it?');
    // The browser may tell of a paint after the page can already be read.
    const usedMs = await page.evaluate<number>(`new Promise((resolve) => {
      new PerformanceObserver((painted) => {
        for (const { name, startTime } of painted.getEntries())
          if (name === 'first-contentful-paint') resolve(startTime);
      }).observe({ type: 'paint', buffered: true });
    })`);
    process.stderr.write(
      `first contentful paint of the hosted page, 4 x slower processor: ${Math.round(usedMs)} ms\n`,
    );
    expect((await readVerification(tenant, made.id)).status).toBe('PENDING');
  });
});
