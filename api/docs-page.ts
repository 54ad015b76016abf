import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import type { Express, RequestHandler } from 'express';
import type { ErrorCode } from '../domain/errors.ts';
import type { Endpoint } from './endpoint.ts';
import { PROBLEMS } from './errors.ts';
import { DOCS_POLICY } from './middleware/security-headers.ts';
import { writeOpenApi, type ApiInfo } from './openapi.ts';
import { FAULT_CODES } from './openapi/fault-codes.ts';
import { PROBLEM_ADVICE } from './openapi/problem-advice.ts';
import { PRODUCT_VERSION } from '../domain/product-version.ts';
import { WEBHOOKS } from './webhooks/documented-webhooks.ts';

const INFO: ApiInfo = {
  title: 'Waybill',
  version: PRODUCT_VERSION,
  description: `Travel Rule compliance behind one REST API.

- Bodies are JSON in UTF-8, at most 256 KiB (with rules 2 MiB), 32 levels deep, with at most 2,000 fields, objects and lists together (with rules 20,000) and 2,000 items in a list. A query has at most 200 parameters. A name that stands twice in an object is \`malformed_json\`. Unknown fields and parameters, empty strings, NUL and lone surrogates are refused with 400 and a JSON pointer to the field.
- A malformed id in a path is 404, since no such record can exist. A known path with another method is 405 \`method_not_allowed\`, and \`Allow\` names the methods that it takes.
- Lists take \`_start\` (inclusive) and \`_end\` (exclusive), at most 100 items apart. \`X-Total-Count\` is the number of all matching items.
- Timestamps are ISO 8601 with a time zone, stored to the millisecond.
- Numbers beyond 15 digits are sent as strings.
- Every operation has an example that works as it is printed; an id in it stands for one of yours.
- Of client generators, openapi-typescript wants \`--default-non-nullable=false\` (a field with a default may be left out) and oapi-codegen \`skip-prune: true\` (some schemas are those of webhooks alone).
- Refusals are \`application/problem+json\` (RFC 9457); their codes are listed below on this page.`,
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

const require = createRequire(import.meta.url);
const ASSETS = {
  'swagger-ui.css': require.resolve('swagger-ui-dist/swagger-ui.css'),
  'swagger-ui-bundle.js': require.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
};

/** The document of `/openapi.json`. */
export function referenceDocument(endpoints: readonly Endpoint[]): Record<string, unknown> {
  return writeOpenApi(endpoints, INFO, WEBHOOKS);
}

/** Serves `/openapi.json` and the reference page `/docs`, which loads nothing from other hosts. */
export function serveDocs(app: Express, endpoints: readonly Endpoint[]): void {
  const document = () => JSON.stringify(referenceDocument(endpoints));
  app.get('/openapi.json', named('/openapi.json'), sendText('json', document));
  app.get('/docs', named('/docs'), withPolicy, sendText('html', page));
  app.get(
    '/docs/start.js',
    named('/docs'),
    sendText('js', () => START),
  );
  for (const [asset, file] of Object.entries(ASSETS)) {
    const read = () => readFileSync(file, 'utf8');
    app.get(`/docs/${asset}`, named('/docs'), keptForADay, sendText(asset, read));
  }
}

/** Answers with a text that never changes while the process lives. It is made and compressed when it is first asked for. */
function sendText(type: string, make: () => string): RequestHandler {
  let plain: Buffer | undefined;
  let packed: Buffer | undefined;
  return (request, response) => {
    plain ??= Buffer.from(make());
    response.type(type).vary('Accept-Encoding');
    if (request.acceptsEncodings('gzip') !== 'gzip') response.send(plain);
    else response.set('Content-Encoding', 'gzip').send((packed ??= gzipSync(plain)));
  };
}

const withPolicy: RequestHandler = (_request, response, next) => {
  response.setHeader('Content-Security-Policy', DOCS_POLICY);
  next();
};

const keptForADay: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'public, max-age=86400');
  next();
};

function named(route: string): RequestHandler {
  return (_request, response, next) => {
    response.locals.route = route;
    next();
  };
}

const START = `const named = document.getElementById(location.hash.slice(1));
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#api',
  validatorUrl: null,
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  filter: true,
  persistAuthorization: false,
  // The operations push the tables down after the browser has gone to the place that the address names.
  onComplete: () => {
    named?.scrollIntoView();
    named?.classList.add('named');
  },
});
`;

const STYLE = `
  body { margin: 0; font-family: sans-serif; }
  nav, .codes { max-width: 1420px; margin: 1rem auto; padding: 0 20px; }
  .codes td, .codes th { padding: 4px 24px 4px 0; text-align: left; vertical-align: top; }
  .codes tr.named { background: #fff3bf; }
  nav a { margin-right: 24px; }
  .swagger-ui .markdown code { word-break: normal; }
  /* Every problem has the same form, which the page describes once. */
  .swagger-ui tr.response:is([data-code^='4'], [data-code^='5']) .model-example,
  .swagger-ui tr.response:is([data-code^='4'], [data-code^='5']) .response-controls,
  .swagger-ui tr.response:is([data-code^='4'], [data-code^='5']) .headers-wrapper,
  .swagger-ui tr.response .headers__title { display: none; }
`;

function page(): string {
  const problems = Object.entries(PROBLEMS).map(([code, { status, title }]) =>
    tableRow(`errors-${code}`, [code, String(status), title, PROBLEM_ADVICE[code as ErrorCode]]),
  );
  const faults = Object.entries(FAULT_CODES).map(([code, advice]) =>
    tableRow(`faults-${code}`, [code, advice]),
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waybill API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<style>${STYLE}</style>
</head>
<body>
<nav><a href="#api">Operations</a><a href="#problems">Error codes</a><a href="#faults">Fault codes</a><a href="/openapi.json">openapi.json</a></nav>
<div id="api"></div>
<section id="problems" class="codes">
<h2>Error codes</h2>
<p>An error is a problem document (RFC 9457) with a <code>code</code>. Its <code>type</code> leads to the row below.</p>
<table>
<tr><th>Code</th><th>Status</th><th>Meaning</th><th>What to do</th></tr>
${problems.join('\n')}
</table>
</section>
<section id="faults" class="codes">
<h2>Fault codes</h2>
<p>The <code>errors</code> of a problem name single fields, each with a <code>code</code>.</p>
<table>
<tr><th>Code</th><th>What to do</th></tr>
${faults.join('\n')}
</table>
</section>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
}

/** A row of a table of codes; the first cell is the code. */
function tableRow(id: string, [code, ...texts]: string[]): string {
  const cells = texts.map((text) => `<td>${text.replaceAll(/`([^`]+)`/g, '<code>$1</code>')}</td>`);
  return `<tr id="${id}"><td><code>${code}</code></td>${cells.join('')}</tr>`;
}
