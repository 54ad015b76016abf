import { existsSync } from 'node:fs';
import chromium from '@sparticuz/chromium';

/** The browser that npm brings along is one for this kind of machine. */
const isBrought = process.platform === 'linux' && process.arch === 'x64';

/** Where Chrome or Chromium lies that somebody has installed. */
const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((path) => existsSync(path));

/** Whether there is a browser for this machine. */
export const hasBrowser = isBrought || INSTALLED !== undefined;

/** The browser that npm brings along, unpacked unless that is done, or an installed one. */
export async function browserBinary(): Promise<string | undefined> {
  return isBrought ? await chromium.executablePath() : INSTALLED;
}
