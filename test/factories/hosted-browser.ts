import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { PrivateKeyAccount } from 'viem/accounts';

/** A browser with the hosted page, and what went wrong in it. */
export interface HostedBrowser {
  context: BrowserContext;
  page: Page;
  /** Errors, violations of the Content-Security-Policy, and requests to other hosts: a test expects none. */
  faults: string[];
  /** The addresses of all requests. */
  requests: string[];
}

/** What Chromium says of answers that the page itself deals with. */
const EXPECTED = /Failed to load resource: (?:the server responded with a status|net::ERR)/;

const TELL_VIOLATIONS = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
  console.error('violation: ' + violatedDirective + ' ' + blockedURI);
})`;

export async function openBrowser(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<HostedBrowser> {
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Zurich', ...options });
  const faults: string[] = [];
  const requests: string[] = [];
  await context.addInitScript(TELL_VIOLATIONS);
  context.on('page', (page) => {
    page.on('pageerror', (error) => void faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !EXPECTED.test(message.text())) faults.push(message.text());
    });
    page.on('request', (request) => {
      requests.push(request.url());
      const isOwn = request.url().startsWith(url) || /^(?:data|blob|about):/.test(request.url());
      if (!isOwn) faults.push(`request to ${request.url()}`);
    });
  });
  return { context, page: await context.newPage(), faults, requests };
}

/** What the test wallet does with the next request to sign. */
export interface TestWallet {
  account: PrivateKeyAccount;
  mood: 'SIGNS' | 'REFUSES' | 'WAITS' | 'CANNOT_SIGN';
  /** The texts that it has signed. */
  signed: string[];
}

const MOOD_CODES = { REFUSES: 4001, WAITS: -32002, CANNOT_SIGN: 4200 } as const;

/** Runs in the page: a wallet by EIP-6963 that hands each request to the test. */
const ANNOUNCE = `(name) => {
  const provider = {
    async request({ method, params }) {
      const { result, code } = await window.askTestWallet(method, params);
      if (code !== undefined) throw Object.assign(new Error('the wallet says ' + code), { code });
      return result;
    },
  };
  const icon = 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"%3E%3Crect width="8" height="8" fill="teal"/%3E%3C/svg%3E';
  const info = { uuid: crypto.randomUUID(), name, icon, rdns: 'example.wallet' };
  const detail = Object.freeze({ info, provider });
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
  addEventListener('eip6963:requestProvider', announce);
  announce();
}`;

/** Puts a wallet into the pages of a browser that announces itself by EIP-6963 and signs with a real key. */
export async function installWallet(
  { context }: HostedBrowser,
  account: PrivateKeyAccount,
  name = 'Test Wallet',
): Promise<TestWallet> {
  const wallet: TestWallet = { account, mood: 'SIGNS', signed: [] };
  const answer = async (method: string, params: readonly string[] = []) => {
    if (method === 'eth_requestAccounts' || method === 'eth_accounts')
      return { result: [wallet.account.address] };
    if (method !== 'personal_sign') return { code: 4200 };
    if (wallet.mood !== 'SIGNS') return { code: MOOD_CODES[wallet.mood] };
    const text = Buffer.from((params[0] ?? '').slice(2), 'hex').toString();
    wallet.signed.push(text);
    return { result: await wallet.account.signMessage({ message: text }) };
  };
  await context.exposeBinding('askTestWallet', async (_source, method: string, params?: readonly string[]) =>
    answer(method, params),
  );
  await context.addInitScript(`(${ANNOUNCE})(${JSON.stringify(name)})`);
  return wallet;
}

/** The link of a verification, at the api of the test. */
export function hostedAddress(apiUrl: string, { token }: { token: string }): string {
  return `${apiUrl}/wallet/?token=${token}`;
}
