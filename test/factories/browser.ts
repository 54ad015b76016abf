import axe from 'axe-core';
import { chromium as playwright, type Browser, type Page } from 'playwright-core';
import { browserBinary, hasBrowser } from '../browser-binary.ts';

/**
 * How the browser that npm brings along starts everywhere: as root, in a container without shared memory, without a graphics
 * card. What it brings as arguments of its own would also switch off what browsers protect pages with.
 */
const ARGUMENTS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--font-render-hinting=none'];

/** Tests that need a browser: skipped, and said so, where there is none. */
export const describeWithBrowser = hasBrowser
  ? describe
  : (name: string, body: () => void) => {
      process.stderr.write(`SKIPPED, there is no browser for this machine: ${name}\n`);
      describe.skip(name, body);
    };

/** A real browser. It gives pages a camera that shows a test picture. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = await browserBinary();
  return await playwright.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: [...ARGUMENTS, '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
    headless: true,
  });
}

interface AxeResults {
  violations: { id: string; nodes: { target: unknown; failureSummary: string }[] }[];
}

/** What axe-core finds against WCAG 2.2 A and AA on the page as it is now. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // Over the debugging protocol, since the page runs no script but its own.
  await page.evaluate(`${axe.source};undefined`);
  const run = `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })`;
  const { violations } = await page.evaluate<AxeResults>(run);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${JSON.stringify(target)}: ${failureSummary}`),
  );
}
