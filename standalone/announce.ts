import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DEMO_SETTINGS } from './demo-data.ts';
import { exportLine } from './export-line.ts';
import { followSecrets } from './follow-secrets.ts';
import { writePrivate } from './home.ts';
import type { ProgressLog } from './progress.ts';
import type { RunningProduct } from './running-product.ts';
import { temporalPage } from './temporal-page.ts';

const RECEIVER_AND_DEMO = [
  '`npm run receiver` in a second terminal prints webhooks; `npm run demo` plays an example.',
  'For the story of the README, paste this line into a third one:',
];

/**
 * Writes standalone.json, keeps the webhook secrets in it true, and prints the addresses and keys. Returns a function that
 * removes the file.
 */
export function announce(home: string, running: RunningProduct, log: ProgressLog): () => void {
  const file = join(home, 'standalone.json');
  writePrivate(file, running);
  const endFollowing = followSecrets(running, (tenants) => writePrivate(file, { ...running, tenants }));
  const temporal = temporalPage(running);
  const rows: [string, string, string][] = [
    ['API', running.apiUrl, `X-Operator-Key ${running.operatorKey}`],
    ['Start page', `${running.apiUrl}/`, 'what is where'],
    ['API reference', running.docsUrl, ''],
    ['Wallet page', `${running.walletUrl}/`, ''],
    ['Console', running.consoleUrl, 'for the people of a tenant'],
    ...(temporal ? [['Temporal UI', temporal, ''] as [string, string, string]] : []),
    ...running.tenants.flatMap(({ name, apiKey, adminEmail, adminPassword }): [string, string, string][] => [
      [name, 'tenant', `X-Api-Key ${apiKey}`],
      ...(adminEmail === undefined || adminPassword === undefined
        ? []
        : [['', 'sign in', `${adminEmail} ${adminPassword}`] as [string, string, string]]),
    ]),
    [running.partner.name, 'partner', `X-Partner-Api-Key ${running.partner.apiKey}`],
  ];
  log(
    [
      '',
      'Waybill is running.',
      '',
      ...table(rows),
      '',
      ...(running.tenants.length > 0
        ? [...RECEIVER_AND_DEMO, '', exportLine(running), '', ...DEMO_SETTINGS, '']
        : []),
      `The same data for programs: ${file}`,
      'Ctrl-C stops Waybill; the data stays.',
    ].join('\n'),
  );
  return () => {
    endFollowing();
    rmSync(file, { force: true });
  };
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('   ')}`.trimEnd(),
  );
}
