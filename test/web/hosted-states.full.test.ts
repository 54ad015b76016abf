import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { projectRoot } from '../../standalone/project-root.ts';
import type { Json } from '../api-client.ts';
import { accessibilityFaults, describeWithBrowser } from '../factories/browser.ts';
import { png } from '../factories/evidence.ts';
import { installWallet } from '../factories/hosted-browser.ts';
import { createTenant } from '../factories/tenant.ts';
import { createVerification, evmWallet, type WalletVerification } from '../factories/verification.ts';
import { useHostedGround } from './hosted-ground.ts';

describeWithBrowser('the states of the hosted page', () => {
  const ground = useHostedGround();
  const { api, tenant } = ground;

  /** A state of the page: how its verification comes about, what is done on the page, and what then stands there. */
  interface PageScene {
    name: string;
    make?: () => Promise<WalletVerification>;
    play?: (page: Page, made: WalletVerification) => Promise<void>;
    shows: string;
  }

  const STEPS = [{ kind: 'SELFIE' }, { kind: 'SOURCE_OF_FUNDS_WEALTH' }];
  const press = async (page: Page, name: string) =>
    await page.getByRole('button', { name, exact: true }).click();
  const choose = async (page: Page, title: string) => await page.getByRole('button', { name: title }).click();
  const hosted = async (token: string, body: Json) =>
    await api.request('POST', '/wallet/verification/proof', {
      headers: { 'X-Verification-Token': token },
      body,
    });
  const image = { name: 'wallet.png', mimeType: 'image/png', buffer: png() };

  async function sendPicture({ token }: WalletVerification): Promise<void> {
    const form = new FormData();
    form.append('verificationFlow', 'VISUAL_PROOF');
    form.append('files', new File([png()], 'a.png', { type: 'image/png' }));
    const headers = { 'X-Verification-Token': token };
    await fetch(`${api.url}/wallet/verification/proof`, { method: 'POST', headers, body: form });
  }

  const refresh = async (page: Page) => await page.evaluate("dispatchEvent(new Event('online'))");

  async function made(overrides: Json, then: (one: WalletVerification) => Promise<unknown>) {
    const one = await ground.create(overrides);
    await then(one);
    return one;
  }

  const SCENES: PageScene[] = [
    {
      name: 'choices',
      make: async () => await ground.create({ additionalSteps: STEPS }),
      shows: 'How would you like to confirm it?',
    },
    {
      name: 'signature',
      play: async (page) => await choose(page, 'Sign a message'),
      shows: 'Sign with Test Wallet',
    },
    {
      name: 'signature-pasted',
      play: async (page) => {
        await choose(page, 'Sign a message');
        await page.getByText('Sign elsewhere and paste').click();
        await press(page, 'Send the signature');
      },
      shows: 'Paste the signature first.',
    },
    {
      name: 'transfer',
      play: async (page) => await choose(page, 'Send a small amount'),
      shows: 'I have sent it',
    },
    {
      name: 'transfer-waiting',
      play: async (page) => {
        await choose(page, 'Send a small amount');
        await press(page, 'I have sent it');
      },
      shows: 'We are looking for your transfer',
    },
    {
      name: 'transfer-seen',
      play: async (page, one) => {
        await choose(page, 'Send a small amount');
        await ground.confirm(one, 5);
        await refresh(page);
      },
      shows: 'Your transfer has been seen: 5 of 12 confirmations.',
    },
    {
      name: 'files',
      play: async (page) => {
        await choose(page, 'Show your wallet');
        const bad = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') };
        await page.getByLabel('Choose files').setInputFiles([image, bad]);
        await press(page, 'Send the files');
      },
      shows: 'Remove the files that are not accepted.',
    },
    {
      name: 'camera',
      make: async () => await ground.create({ additionalSteps: STEPS }),
      play: async (page) => {
        await choose(page, 'A picture of yourself');
        await press(page, 'Use the camera');
      },
      shows: 'Take the picture',
    },
    {
      name: 'declaration',
      play: async (page) => {
        await choose(page, 'Declare that it is yours');
        await press(page, 'Declare');
      },
      shows: 'Enter your full name.',
    },
    {
      name: 'verified-steps-left',
      make: async () =>
        await made(
          { additionalSteps: STEPS },
          async ({ token }) => await hosted(token, { verificationFlow: 'SELF_DECLARED' }),
        ),
      shows: 'Only the following is missing.',
    },
    {
      name: 'verified',
      make: async () =>
        await made(
          { redirectUrl: 'https://app.example/back' },
          async ({ token }) => await hosted(token, { verificationFlow: 'SELF_DECLARED' }),
        ),
      shows: 'Your wallet is confirmed',
    },
    {
      name: 'review',
      make: async () => await made({}, sendPicture),
      shows: 'Received: a person looks at it',
    },
    {
      name: 'declined',
      make: async () =>
        await made({}, async (one) => {
          await sendPicture(one);
          await tenant.patch(`/wallet-verification/${one.id}`, {
            status: 'DECLINED',
            statusReasoning: 'blurred',
          });
        }),
      shows: 'The proof was not accepted',
    },
    {
      name: 'revoked',
      make: async () =>
        await made({}, async ({ id, token }) => {
          await hosted(token, { verificationFlow: 'SELF_DECLARED' });
          await tenant.post(`/wallet-verification/${id}/revoke`, { reason: 'sold' });
        }),
      shows: 'The confirmation was withdrawn',
    },
    {
      name: 'expired',
      make: async () =>
        await made(
          { redirectUrl: 'https://app.example/back' },
          async ({ id }) => await tenant.post(`/sandbox/wallet-verification/${id}/fire-timer`),
        ),
      shows: 'The time is over',
    },
    {
      name: 'failed',
      make: async () =>
        await made({}, async ({ token }) => {
          const headers = { 'X-Verification-Token': token };
          const { body } = await api.request('POST', '/wallet/verification/message', { headers, body: {} });
          const message = String(body['message']);
          for (let tries = 0; tries < 10; tries += 1) {
            const signature = await evmWallet().signMessage({ message });
            await hosted(token, { verificationFlow: 'SIGNATURE_PROOF', message, signature });
          }
        }),
      shows: 'Too many wrong attempts',
    },
    {
      name: 'unknown',
      make: async () => await made({}, async ({ id }) => await tenant.delete(`/wallet-verification/${id}`)),
      shows: 'This link does not work',
    },
    {
      name: 'withdrawn',
      play: async (page, { id }) => {
        await tenant.delete(`/wallet-verification/${id}`);
        await refresh(page);
      },
      shows: 'This verification was withdrawn',
    },
    {
      name: 'closed',
      make: async () => {
        const other = await createTenant(api);
        const one = await createVerification(other);
        await api.request('POST', `/operator/tenants/${other.id}/suspend`, { operatorKey: api.operatorKey });
        return one;
      },
      shows: 'This page is closed at the moment',
    },
  ];

  /** Pictures of these go into the documentation: RECORD_SCREENSHOTS=1. */
  const PICTURES: Record<string, 'desk' | 'phone'> = {
    choices: 'desk',
    signature: 'desk',
    'transfer-seen': 'desk',
    transfer: 'phone',
    files: 'phone',
    verified: 'phone',
  };

  const SCREENS = {
    desk: { viewport: { width: 760, height: 900 } },
    phone: { viewport: { width: 390, height: 760 }, hasTouch: true, colorScheme: 'dark' },
  } as const;

  describe.each(Object.keys(SCREENS) as (keyof typeof SCREENS)[])('on a %s', (screen) => {
    beforeAll(async () => {
      await tenant.patch('/tenant/me/settings', { branding: { color: '#0b6e4f' } });
    });

    test.each(SCENES)('$name is accessible, and breaks no rule of its policy', async (scene) => {
      const wallet = evmWallet();
      const one = await (scene.make?.() ?? ground.create({ address: wallet.address }));
      const opened = await ground.open(one, SCREENS[screen]);
      const { page } = opened;
      if (scene.name.startsWith('signature')) {
        await installWallet(opened, wallet);
        await page.reload();
      }
      await scene.play?.(page, one);
      await page.getByText(scene.shows).first().waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(opened.faults).toEqual([]);
      if (process.env['RECORD_SCREENSHOTS'] && PICTURES[scene.name] === screen) {
        const path = join(projectRoot, 'docs', 'images', `hosted-${scene.name}.png`);
        await page.screenshot({ path, fullPage: screen === 'desk' });
      }
    });
  });
});
