import type { DemoKeys } from './read-demo-keys.ts';

interface StartPageInput {
  walletUrl: string;
  /** The list of workflows in the Temporal UI; null where no UI is known. */
  temporalUrl: string | null;
  hasMailbox: boolean;
  demo: DemoKeys | null;
}

/** The page at `/`: what is where on this machine. */
export function startPage({ walletUrl, temporalUrl, hasMailbox, demo }: StartPageInput): string {
  const links = [
    ['/docs', 'API reference', 'every endpoint, with examples; the document is /openapi.json'],
    ['/console/', 'Console', 'for reviewers and administrators of a tenant'],
    [`${walletUrl}/`, 'Wallet page', 'for owners of wallets: open it by the url of a verification'],
    ...(temporalUrl === null
      ? []
      : [[temporalUrl, 'Temporal UI', 'what each record waits for, and what failed']]),
    ...(hasMailbox ? [['/mailbox', 'Mailbox', 'the mails that this trial would send']] : []),
    ['/health/ready', 'Health', 'whether all parts work'],
  ];
  const items = links.map(
    ([address = '', name = '', what = '']) =>
      `<li><a href="${escaped(address)}">${escaped(name)}</a> <span>${escaped(what)}</span></li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Waybill</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/start.css">
</head>
<body>
<main>
<h1>Waybill is running</h1>
<ul>
${items.join('\n')}
</ul>
${demo === null ? '' : demoKeys(demo)}
</main>
</body>
</html>
`;
}

function demoKeys({ tenants, partner, operatorKey }: DemoKeys): string {
  const rows = [
    ...tenants.flatMap(({ name, apiKey, adminEmail, adminPassword }) => [
      [name, 'X-Api-Key', apiKey],
      ...(adminEmail && adminPassword ? [[`${name}, administrator`, adminEmail, adminPassword]] : []),
    ]),
    [partner.name, 'X-Partner-Api-Key', partner.apiKey],
    ['Operator', 'X-Operator-Key', operatorKey],
  ];
  const cells = rows.map(
    ([of = '', name = '', value = '']) =>
      `<tr><th scope="row">${escaped(of)}</th><td>${escaped(name)}</td><td><code>${escaped(value)}</code></td></tr>`,
  );
  return `<h2>Keys of this trial</h2>
<p>Shown on this machine only. <code>npm run demo</code> plays an example with them.</p>
<table>
<thead><tr><th scope="col">Who</th><th scope="col">Header or e-mail</th><th scope="col">Key or password</th></tr></thead>
<tbody>
${cells.join('\n')}
</tbody>
</table>`;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);
}
