import type { Browser, Page } from 'playwright-core';
import type { TestApi } from '../api-client.ts';
import { PASSWORD, type TestUser } from './user.ts';

/** A console that is open in a browser, and everything that went wrong on its page. */
export interface OpenConsole {
  page: Page;
  /** Violations of the Content-Security-Policy, errors of scripts, requests that left the deployment. */
  faults: string[];
}

/** What a browser writes when a request is refused; the page tells the person. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/;

/** Opens the console in a window of its own, with its own cookies. */
export async function openConsole(
  browser: Browser,
  { url }: Pick<TestApi, 'url'>,
  path = '',
): Promise<OpenConsole> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !REFUSED.test(message.text())) faults.push(message.text());
  });
  page.on('pageerror', (error) => void faults.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) faults.push(request.url());
  });
  await page.goto(`${url}/console/${path}`);
  return { page, faults };
}

export async function signInAt(page: Page, { email }: Pick<TestUser, 'email'>): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
