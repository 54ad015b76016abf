import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MockActivityEnvironment } from '@temporalio/testing';
import { housekeepingActivities } from '../../../activities/housekeeping/remove-expired.ts';
import type { BrandingFile } from '../../../domain/tenants/branding.ts';
import type { Settings } from '../../../domain/tenants/settings.ts';
import { barePicture } from '../../../domain/tenants/bare-picture.ts';
import type { HostedVerification } from '../../../domain/verifications/hosted.ts';
import type { Json } from '../../api-client.ts';
import { ebml, formOf, jpeg, pdf, png, type Part } from '../../factories/evidence.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createVerification } from '../../factories/verification.ts';
import { startSecondApi, useApi, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenantPerTest(api);

const SETTINGS = '/tenant/me/settings';
const PNG = png();
const LOGO = { fileName: 'logo.png', type: 'image/png', content: PNG };

async function upload(part: Part, { kind = 'logo', key = tenant.apiKey, url = api.url, headers = {} } = {}) {
  const answer = await fetch(`${url}${SETTINGS}/${kind}`, {
    method: 'POST',
    headers: { 'X-Api-Key': key, ...headers },
    body: formOf({}, [{ name: 'file', ...part }]),
  });
  return { status: answer.status, body: (await answer.json()) as BrandingFile & Json };
}

const brandingOf = async (of: TestTenant = tenant) => (await of.get<Settings>(SETTINGS)).body.branding;

/** What the hosted page gets by the token of a verification of the tenant. */
async function hosted(of: TestTenant = tenant) {
  const { token } = await createVerification(of);
  const headers = { 'X-Verification-Token': token };
  return {
    token,
    view: async () =>
      (await api.request<HostedVerification>('GET', '/wallet/verification', { headers })).body,
    picture: async (kind: string) =>
      await fetch(`${api.url}/wallet/verification/branding/${kind}`, { headers }),
    page: async () => await fetch(`${api.url}/wallet/?token=${token}`),
  };
}

const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

async function states(): Promise<string[]> {
  const { rows } = await database.pool.query<{ state: string }>(
    'select state from branding_files where tenant_id = $1 order by created_at, id',
    [tenant.id],
  );
  return rows.map(({ state }) => state);
}

const keepHouse = async (storage = api.deps.storage) =>
  await new MockActivityEnvironment().run(
    async () =>
      await housekeepingActivities({ db: api.db, storage }).removeExpired({ what: 'abandonedFiles' }),
  );

async function storedObjects(): Promise<string[]> {
  const folder = join(api.config.STORAGE_DIR ?? '', tenant.id);
  return (await readdir(folder)).map((name) => join(folder, name));
}

describe('POST /tenant/me/settings/logo and icon', () => {
  test.each([
    ['logo', LOGO, 'image/png'],
    ['icon', { fileName: 'icon.jpg', type: 'image/jpeg', content: jpeg() }, 'image/jpeg'],
    ['logo', { fileName: 'blob', content: jpeg() }, 'image/jpeg'],
    ['icon', { fileName: 'brand.pdf', type: 'application/pdf', content: pdf() }, 'application/pdf'],
  ])('200: a %s of %o, which the settings show', async (kind, part, mimeType) => {
    const { status, body } = await upload(part, { kind });
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown,
        fileName: part.fileName,
        mimeType,
        size: part.content.length,
        sha256: sha256(part.content),
        uploadedAt: expect.stringMatching(/\.\d{3}Z$/) as unknown,
      },
    });
    const other = kind === 'logo' ? 'icon' : 'logo';
    expect(await brandingOf()).toMatchObject({ [kind]: body, [other]: null });
    expect(api.log).toContainEqual(
      expect.objectContaining({
        audit: 'BRANDING_SET',
        kind,
        tenantId: tenant.id,
        apiKeyId: tenant.apiKeyId,
      }),
    );
  });

  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const zip = Buffer.concat([Buffer.from('PK\u0005\u0006'), Buffer.alloc(18), Buffer.from('%%EOF')]);
  test.each<[string, Part]>([
    ['an SVG', { fileName: 'logo.svg', type: 'image/svg+xml', content: svg }],
    ['an SVG that is called PNG', { ...LOGO, content: svg }],
    ['HTML', { ...LOGO, content: Buffer.from('<!doctype html><script>alert(1)</script>') }],
    ['a video', { fileName: 'a.webm', type: 'video/webm', content: ebml('webm') }],
    ['a PNG that is called SVG', { fileName: 'logo.svg', type: 'image/png', content: PNG }],
    ['a PNG that is declared as PDF', { ...LOGO, type: 'application/pdf' }],
    ['a PNG with a script behind it', { ...LOGO, content: Buffer.concat([PNG, svg]) }],
    ['a PNG behind a script', { ...LOGO, content: Buffer.concat([svg, PNG]) }],
    ['a JPEG with an archive behind it', { fileName: 'a.jpg', content: Buffer.concat([jpeg(), zip]) }],
    ['a PDF that is an archive too', { fileName: 'a.pdf', content: Buffer.concat([pdf(), zip]) }],
    ['half a PNG', { ...LOGO, content: PNG.subarray(0, 60) }],
    ['nothing', { ...LOGO, content: Buffer.alloc(0) }],
  ])('400: %s, and the logo stays', async (_name, part) => {
    await upload(LOGO);
    const before = await brandingOf();
    expect(await upload(part)).toMatchObject({
      status: 400,
      body: { code: 'file_type_not_allowed', errors: [{ pointer: '/file' }] },
    });
    expect(await brandingOf()).toEqual(before);
    expect(await states()).toEqual(['STORED']);
  });

  test('413: more than 5 MB', async () => {
    const content = png({ padding: 5 * 1024 * 1024 });
    expect(await upload({ ...LOGO, content })).toMatchObject({
      status: 413,
      body: { code: 'file_too_large', errors: [{ pointer: '/file' }] },
    });
    expect((await upload({ ...LOGO, content: png({ padding: 5 * 1024 * 1024 - 200 }) })).status).toBe(200);
  });

  test('400: no file, two files, and a part of another name', async () => {
    const send = async (form: FormData) =>
      (
        await fetch(`${api.url}${SETTINGS}/logo`, {
          method: 'POST',
          headers: { 'X-Api-Key': tenant.apiKey },
          body: form,
        })
      ).status;
    const file = { name: 'file', ...LOGO };
    expect(await send(formOf({}, []))).toBe(400);
    expect(await send(formOf({}, [file, file]))).toBe(400);
    expect(await send(formOf({}, [{ ...file, name: 'logo' }]))).toBe(400);
    expect(await send(formOf({ note: 'x' }, [file]))).toBe(400);
    expect((await tenant.post(`${SETTINGS}/logo`, {})).status).toBe(415);
    expect(await brandingOf()).toMatchObject({ logo: null });
    expect(await states()).toEqual([]);
  });

  test('a name with characters that nobody sees is stored without them', async () => {
    const fileName = `${'\u{1f600}'.repeat(300)}.png`;
    const { status, body } = await upload({ ...LOGO, fileName });
    expect([status, body.fileName]).toEqual([200, '\u{1f600}'.repeat(255)]);
    const encoded = `--b\r\nContent-Disposition: form-data; name="file"; filename*=utf-8''a%00b%1b.png\r\n\r\n`;
    const raw = Buffer.concat([Buffer.from(encoded), PNG, Buffer.from('\r\n--b--\r\n')]);
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b', 'X-Api-Key': tenant.apiKey };
    const answer = await api.request<BrandingFile>('POST', `${SETTINGS}/logo`, { body: raw, headers });
    expect([200, 400]).toContain(answer.status);
    expect((await tenant.get(SETTINGS)).status).toBe(200);
  });

  test.each(['COMPLIANCE', 'OBSERVER'] as const)('403: %s', async (role) => {
    const { apiKey } = await tenant.as(role);
    expect(await upload(LOGO, { key: apiKey })).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  test('a repeat under its Idempotency-Key gets the first answer and stores nothing', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    const [first, second] = [await upload(LOGO, { headers }), await upload(LOGO, { headers })];
    expect(second).toEqual(first);
    expect((await upload({ ...LOGO, content: png({ text: 'x' }) }, { headers })).status).toBe(422);
    expect(await states()).toEqual(['STORED']);
  });

  test('of ten at once one is the logo, and the others are removed', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => await upload({ ...LOGO, content: png({ text: `${n}` }) })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await states()).filter((state) => state === 'STORED')).toHaveLength(1);
    const { logo } = await brandingOf();
    expect(answers.map(({ body }) => body.id)).toContain(logo?.id);
    const { rows } = await database.pool.query(
      `select id from branding_files where tenant_id = $1 and state = 'STORED'`,
      [tenant.id],
    );
    expect(rows).toEqual([{ id: logo?.id }]);
    await keepHouse();
    expect([await states(), await storedObjects()]).toMatchObject([['STORED'], { length: 1 }]);
  });

  test('503: a storage that is away, or a scanner that is, and the logo stays', async () => {
    await upload(LOGO);
    const before = await brandingOf();
    const put = async () => await Promise.reject(new Error('away'));
    const withoutStorage = await startSecondApi(api, {
      deps: { storage: { ...api.deps.storage, put } },
    });
    const scanner = () => ({
      write: async () => await Promise.resolve(),
      end: async () => await Promise.resolve('UNAVAILABLE' as const),
      abort: () => undefined,
    });
    const withoutScanner = await startSecondApi(api, { deps: { scanner } });
    for (const { url } of [withoutStorage, withoutScanner])
      expect(await upload({ ...LOGO, content: png({ text: 'new' }) }, { url })).toMatchObject({
        status: 503,
      });
    expect(await brandingOf()).toEqual(before);
  });
});

describe('what lies in the storage', () => {
  test('is sealed, and opens at no other place', async () => {
    await upload(LOGO);
    await upload({ ...LOGO, content: jpeg(), fileName: 'icon.jpg', type: 'image/jpeg' }, { kind: 'icon' });
    for (const path of await storedObjects()) {
      const content = await readFile(path);
      expect([content.includes('IHDR'), content.includes('JFIF')]).toEqual([false, false]);
    }
    const { rows } = await database.pool.query<{ kind: string; object_key: string }>(
      'select kind, object_key from branding_files where tenant_id = $1 order by kind',
      [tenant.id],
    );
    const swap = `update branding_files set object_key = $3 where tenant_id = $1 and kind = $2`;
    await database.pool.query(swap, [tenant.id, 'logo', rows[0]?.object_key]);
    expect((await (await hosted()).picture('logo')).status).toBe(500);
  });

  test('goes by housekeeping once it was replaced or removed, and not before', async () => {
    await upload(LOGO);
    await keepHouse();
    expect(await states()).toEqual(['STORED']);
    await upload({ ...LOGO, content: png({ text: 'second' }) });
    expect(await states()).toEqual(['REMOVING', 'STORED']);
    await keepHouse();
    expect([await states(), await storedObjects()]).toMatchObject([['STORED'], { length: 1 }]);
    await tenant.patch(SETTINGS, { branding: { logo: null } });
    await keepHouse();
    expect([await states(), await storedObjects()]).toEqual([[], []]);
  });

  test('of an upload that broke off goes after a day', async () => {
    await upload(LOGO);
    const age = async (days: number) =>
      await database.pool.query(
        `update branding_files set state = 'ARRIVING', created_at = now() - make_interval(secs => $2::float8 * 86400)
         where tenant_id = $1`,
        [tenant.id, days],
      );
    await age(0.9);
    await keepHouse();
    expect(await states()).toEqual(['ARRIVING']);
    await age(1.1);
    await keepHouse();
    expect([await states(), await storedObjects()]).toEqual([[], []]);
  });

  test('that cannot be deleted keeps its row, keeps no other from it, and fails the step', async () => {
    await upload(LOGO);
    const [first = ''] = await storedObjects();
    for (const text of ['second', 'third']) await upload({ ...LOGO, content: png({ text }) });
    const { storage } = api.deps;
    const deleteOthers = async (key: string) => {
      if (first.endsWith(key)) throw new Error('no permission');
      await storage.delete(key);
    };
    await expect(keepHouse({ ...storage, delete: deleteOthers })).rejects.toMatchObject({
      message: '1 logos, icons and exports could not be removed',
      cause: { message: 'no permission' },
    });
    expect(await states()).toEqual(['REMOVING', 'STORED']);
    await keepHouse();
    expect(await states()).toEqual(['STORED']);
  });
});

describe('the hosted page', () => {
  test('gets name and colour, and whether there are pictures', async () => {
    const { view } = await hosted();
    const none = { displayName: null, color: null, hasLogo: false, hasIcon: false };
    expect(await view()).toMatchObject({ tenantName: tenant.name, branding: none });
    await tenant.patch(SETTINGS, { branding: { displayName: 'Alpine', color: '#0A4D8C' } });
    await upload(LOGO);
    await upload({ fileName: 'icon.pdf', content: pdf() }, { kind: 'icon' });
    expect((await view()).branding).toEqual({
      displayName: 'Alpine',
      color: '#0a4d8c',
      hasLogo: true,
      hasIcon: false,
    });
  });

  test('gets the picture without what is no picture, under its own type, sniffed and run by nobody', async () => {
    const { picture } = await hosted();
    const content = png({ text: '<script>alert(1)</script>' });
    await upload({ ...LOGO, content });
    const answer = await picture('logo');
    expect(answer.status).toBe(200);
    expect(await bytesOf(answer)).toEqual(barePicture('image/png', content));
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'attachment',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
    });
    await upload({ fileName: 'logo.jpg', content: jpeg() });
    expect((await picture('logo')).headers.get('content-type')).toBe('image/jpeg');
  });

  test('404: no picture, a PDF, another kind, a removed one, no token and a wrong one', async () => {
    const { picture } = await hosted();
    expect((await picture('logo')).status).toBe(404);
    await upload({ fileName: 'logo.pdf', content: pdf() });
    for (const kind of ['logo', 'icon', 'banner', '..%2flogo'])
      expect((await picture(kind)).status).toBe(404);
    await upload(LOGO);
    for (const headers of [{}, { 'X-Verification-Token': 'x' }, { 'X-Api-Key': tenant.apiKey }]) {
      const answer = await api.request('GET', '/wallet/verification/branding/logo', { headers });
      expect(answer.status).toBe(404);
    }
    expect((await picture('logo')).status).toBe(200);
    await tenant.patch(SETTINGS, { branding: { logo: null } });
    expect((await picture('logo')).status).toBe(404);
  });

  test('of another tenant has neither picture nor look nor frames of this one', async () => {
    await upload(LOGO);
    await tenant.patch(SETTINGS, { branding: { color: '#123456', frameOrigins: ['https://app.example'] } });
    const other = await createTenant(api);
    const { view, picture, page } = await hosted(other);
    expect((await view()).branding).toMatchObject({ color: null, hasLogo: false });
    expect((await picture('logo')).status).toBe(404);
    expect((await page()).headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  test('503: a storage that is away', async () => {
    await upload(LOGO);
    const { token } = await hosted();
    const get = async () => await Promise.reject(new Error('away'));
    const away = await startSecondApi(api, { deps: { storage: { ...api.deps.storage, get } } });
    const headers = { 'X-Verification-Token': token };
    const answer = await away.request('GET', '/wallet/verification/branding/logo', { headers });
    expect(answer).toMatchObject({ status: 503, body: { code: 'temporarily_unavailable' } });
  });
});

describe('who may frame the hosted page', () => {
  const FRAMED = { branding: { frameOrigins: ['https://app.example', 'http://localhost:8080'] } };
  const frameOf = (answer: Response) => ({
    ancestors: /frame-ancestors ([^;]*)/.exec(answer.headers.get('content-security-policy') ?? '')?.[1],
    older: answer.headers.get('x-frame-options'),
  });
  const NOBODY = { ancestors: "'none'", older: 'DENY' };

  test('nobody, until the tenant names origins; then these, and nothing else in the policy changes', async () => {
    const { page } = await hosted();
    const before = await page();
    expect(frameOf(before)).toEqual(NOBODY);
    await tenant.patch(SETTINGS, FRAMED);
    const after = await page();
    expect(frameOf(after)).toEqual({ ancestors: 'https://app.example http://localhost:8080', older: null });
    const rest = (answer: Response) =>
      answer.headers.get('content-security-policy')?.replace(/frame-ancestors [^;]*/, '');
    expect(rest(after)).toBe(rest(before));
    await tenant.patch(SETTINGS, { branding: { frameOrigins: null } });
    expect(frameOf(await page())).toEqual(NOBODY);
  });

  test('nobody without a token that opens a verification', async () => {
    await tenant.patch(SETTINGS, FRAMED);
    const { token } = await hosted();
    const other = token.endsWith('A') ? 'B' : 'A';
    for (const query of [
      '',
      '?token=',
      '?token=x',
      `?token=${token.slice(0, -1)}${other}`,
      `?Token=${token}`,
      '?%',
    ]) {
      const answer = await fetch(`${api.url}/wallet/${query}`);
      expect([answer.status, frameOf(answer)]).toEqual([200, NOBODY]);
    }
  });

  test('nobody the other pages and the API', async () => {
    await tenant.patch(SETTINGS, FRAMED);
    for (const path of ['/password', '/docs', '/tenant/me']) {
      const answer = await fetch(api.url + path, { headers: { 'X-Api-Key': tenant.apiKey } });
      expect(frameOf(answer)).toEqual(NOBODY);
    }
  });

  test('pages are counted per address, since a token is looked up', async () => {
    const strict = await startSecondApi(api, { config: { RATE_LIMIT_HOSTED: 2 } });
    const statuses: number[] = [];
    for (let number = 0; number < 3; number += 1)
      statuses.push((await fetch(`${strict.url}/wallet/?token=x`)).status);
    expect(statuses).toEqual([200, 200, 429]);
  });
});
