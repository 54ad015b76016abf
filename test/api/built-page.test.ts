import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { serveBuiltPage } from '../../api/built-page.ts';
import { useApi } from '../use-api.ts';

const { api } = useApi();

const get = async (path: string, headers: Record<string, string> = {}) =>
  await fetch(`${api.url}${path}`, { redirect: 'manual', headers });

/** The addresses of scripts and styles in the page. */
async function assetsOf(path: string): Promise<string[]> {
  const html = await (await get(path)).text();
  return [...html.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, asset = '']) => asset);
}

describe.each(['/console', '/wallet'])('%s', (path) => {
  test('is never kept, loads from its own origin alone, and is framed by nobody', async () => {
    const page = await get(`${path}/`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    for (const rule of ["script-src 'self'", "frame-ancestors 'none'", 'trusted-types lit-html'])
      expect(policy.split('; ')).toContain(rule);
    // What the policy would stop.
    expect(await page.text()).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/);
  });

  test('names its files by their content, and a browser keeps them for ever', async () => {
    const assets = await assetsOf(`${path}/`);
    expect(assets.length).toBeGreaterThan(1);
    for (const asset of assets) {
      expect(asset).toMatch(/^assets\/[\w.-]+-[\w-]{8}\.(?:js|css)$/);
      const file = await get(`${path}/${asset}`);
      expect([file.status, file.headers.get('cache-control')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ]);
      expect(file.headers.get('content-type')).toMatch(/^text\/(?:javascript|css); charset=utf-8$/);
    }
  });

  test('sends a file compressed to who takes it, plain to others', async () => {
    const [asset = ''] = await assetsOf(`${path}/`);
    const packed = await get(`${path}/${asset}`, { 'Accept-Encoding': 'gzip' });
    const plain = await get(`${path}/${asset}`, { 'Accept-Encoding': 'identity' });
    expect([packed.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual([
      'gzip',
      null,
    ]);
    expect(await packed.text()).toBe(await plain.text());
  });

  test('has no other files, whatever the name', async () => {
    for (const name of ['nothing.js', '..%2fmanifest.json', '%2e%2e%2f%2e%2e%2fapi%2fapp.js', 'toString'])
      expect([name, (await get(`${path}/assets/${name}`)).status]).toEqual([name, 404]);
    expect((await get(`${path}/manifest.json`)).status).toBe(404);
  });

  test('shows the licences of what is in its scripts', async () => {
    const licences = await get(`${path}/licences.md`);
    expect(licences.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await licences.text()).toContain('lit-html');
  });

  test('is found without the slash at its end, with its query', async () => {
    const { status, headers } = await get(`${path}?a=b`);
    expect([status, headers.get('location')]).toEqual([308, `${path.slice(1)}/?a=b`]);
  });

  test('takes no other method', async () => {
    const { status, headers } = await fetch(`${api.url}${path}/`, { method: 'POST' });
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

test.each(['/portal', '/password'])('every file that the plain page %s names is there', async (path) => {
  const html = await (await get(path)).text();
  const files = [...html.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(1);
  for (const file of files) expect([file, (await get(`/${file}`)).status]).toEqual([file, 200]);
});

test.each(['/portal', '/password'])('the plain page %s is found with a slash at its end', async (path) => {
  const { status, headers } = await get(`${path}/?a=b`);
  expect([status, headers.get('location')]).toEqual([308, `..${path}?a=b`]);
});

describe('a page that is not built', () => {
  const lines: unknown[][] = [];
  let server: Server;

  beforeAll(async () => {
    const app = express();
    app.use((request, _response, next) => {
      Object.assign(request, { log: { error: (...line: unknown[]) => lines.push(line) } });
      next();
    });
    serveBuiltPage(app, { name: 'nothing', path: '/nothing', prepare: [] });
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  test('says so to the caller and in the log', async () => {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/nothing/`);
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('npm run build')]);
    expect(lines).toEqual([[{ page: 'nothing' }, expect.stringContaining('npm run build')]]);
  });
});
