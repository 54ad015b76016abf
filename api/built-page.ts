import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Express, Request, RequestHandler, Response } from 'express';

const BUILT = fileURLToPath(new URL('../web/', import.meta.url));
/** Licences of the packages that are part of the scripts. */
const LICENCES = 'licences.md';

/** A file as it is sent, plain and compressed. */
interface SentFile {
  type: string;
  plain: Buffer;
  packed: Buffer;
}

/** A page that the build has made of a folder of `web/`. */
interface BuiltPage {
  html: SentFile;
  licences: SentFile;
  /** Scripts, styles and pictures by their file names. Each name has a hash of the content. */
  assets: ReadonlyMap<string, SentFile>;
}

interface BuiltPageOptions {
  /** The folder in `web/`. */
  name: string;
  /** The path of the page, without the slash at its end, such as `/console`. */
  path: string;
  /** What the page is told of this deployment: the names and contents of meta elements. */
  meta?: Readonly<Record<string, string>>;
  /** Sets the Content-Security-Policy of the page; runs for the page alone, not for its scripts. */
  prepare: readonly RequestHandler[];
}

/**
 * Serves a page of `web/` at its path and its files below it. A browser keeps the files for ever, because another content has
 * another name, and never the page. All addresses within the page are relative, so a proxy can serve it under another host
 * name or path.
 */
export function serveBuiltPage(app: Express, { name, path, meta = {}, prepare }: BuiltPageOptions): void {
  const read = onceRead(() => readBuiltPage(join(BUILT, name), meta));
  const routed = named(path);
  app.get(path, routed, ...prepare, (request, response) => {
    // Without the slash at the end of the path, the relative addresses in the page would be wrong.
    if (!request.path.endsWith('/')) return redirectToSlash(request, response, path);
    const page = read();
    if (page === undefined) return sayThatItIsNotBuilt(request, response, name);
    send(request, response, page.html);
  });
  app.get(`${path}/assets/:file`, routed, (request, response, next) => {
    const file = read()?.assets.get(request.params['file'] as string);
    if (file === undefined) return next();
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    send(request, response, file);
  });
  app.get(`${path}/${LICENCES}`, routed, (request, response, next) => {
    const file = read()?.licences;
    if (file === undefined) return next();
    send(request, response, file);
  });
}

/** Reads on the first request: processes that serve no page, and most tests, need none of it. */
function onceRead(read: () => BuiltPage | undefined): () => BuiltPage | undefined {
  let page: BuiltPage | undefined;
  return () => (page ??= read());
}

function readBuiltPage(folder: string, meta: Readonly<Record<string, string>>): BuiltPage | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined;
  const names = readdirSync(join(folder, 'assets'));
  return {
    html: withMeta(readFile(join(folder, 'index.html')), meta),
    licences: { ...readFile(join(folder, LICENCES)), type: 'text' },
    assets: new Map(names.map((name) => [name, readFile(join(folder, 'assets', name))])),
  };
}

function withMeta({ type, plain }: SentFile, meta: Readonly<Record<string, string>>): SentFile {
  const elements = Object.entries(meta).map(
    ([name, content]) =>
      `<meta name="${name}" content="${content.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}">`,
  );
  const filled = Buffer.from(plain.toString().replace('</head>', () => `${elements.join('')}</head>`));
  return { type, plain: filled, packed: gzipSync(filled) };
}

function readFile(path: string): SentFile {
  const plain = readFileSync(path);
  return { type: extname(path), plain, packed: gzipSync(plain) };
}

function send(request: Request, response: Response, { type, plain, packed }: SentFile): void {
  response.type(type).vary('Accept-Encoding');
  if (request.acceptsEncodings('gzip') !== 'gzip') response.send(plain);
  else response.set('Content-Encoding', 'gzip').send(packed);
}

/** The redirect is relative too, for proxies that serve the page under another path. */
function redirectToSlash(request: Request, response: Response, path: string): void {
  const mark = request.originalUrl.indexOf('?');
  const query = mark < 0 ? '' : request.originalUrl.slice(mark);
  response.redirect(308, `${path.slice(path.lastIndexOf('/') + 1)}/${query}`);
}

function sayThatItIsNotBuilt(request: Request, response: Response, name: string): void {
  request.log.error({ page: name }, 'the page is missing in dist/web: run npm run build');
  response
    .status(503)
    .type('text')
    .send('This page is not built here. Whoever runs Waybill has to run npm run build.\n');
}

function named(route: string): RequestHandler {
  return (_request, response, next) => {
    response.locals.route = route;
    next();
  };
}
