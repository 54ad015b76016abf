import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { makeFileLink } from '../../../db/verifications/file-link.ts';
import type { FileLink, VerificationFile } from '../../../domain/verifications/files.ts';
import type { WalletVerification } from '../../../domain/verifications/schema.ts';
import type { Json, TestAnswer } from '../../api-client.ts';
import { eventually } from '../../eventually.ts';
import {
  asf,
  avi,
  ebml,
  formOf,
  isoMedia,
  jpeg,
  mpeg,
  pdf,
  png,
  transportStream,
  type Part,
} from '../../factories/evidence.ts';
import { createTenant, WEBHOOK_URL } from '../../factories/tenant.ts';
import { createVerification, readVerification, submit } from '../../factories/verification.ts';
import { fakeClamd } from '../../fakes/clamd.ts';
import { IS_FULL } from '../../full.ts';
import { useApi, useTenant, startSecondApi } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api, { webhookUrl: WEBHOOK_URL });

type Answer = TestAnswer<WalletVerification & Json>;

async function give(
  id: string,
  files: readonly Part[],
  { headers = {}, key = tenant.apiKey, flow = 'VISUAL_PROOF' } = {},
): Promise<Answer> {
  const answer = await fetch(`${api.url}/wallet-verification/${id}/verification`, {
    method: 'POST',
    headers: { 'X-Api-Key': key, ...headers },
    body: formOf({ verificationFlow: flow }, files),
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer['body'] };
}

const visual = async () => await createVerification(tenant, { allowedFlows: ['VISUAL_PROOF'] });
const photo: Part = { fileName: 'my wallet.png', type: 'image/png', content: png() };

async function objects(): Promise<string[]> {
  const entries = await readdir(api.config.STORAGE_DIR ?? '', { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

async function rowsOf(id: string): Promise<Json[]> {
  const { rows } = await database.pool.query<Json>(
    'select * from verification_files where verification_id = $1',
    [id],
  );
  return rows;
}

async function eventsOf(id: string): Promise<Json[]> {
  return (await tenant.get<Json[]>(`/wallet-verification/${id}/events`)).body;
}

async function filesOf(id: string): Promise<VerificationFile[]> {
  return (await tenant.get<VerificationFile[]>(`/wallet-verification/${id}/files`)).body;
}

async function linkTo(id: string, fileId: string): Promise<URL> {
  const answer = await tenant.get<FileLink>(`/wallet-verification/${id}/files/${fileId}/url`);
  expect(answer.status).toBe(200);
  return new URL(answer.body.url);
}

describe('from the upload to the decision', () => {
  test('files become a proof that waits for a person, who looks at it and decides', async () => {
    const made = await visual();
    const content = png({ text: made.id, padding: 200_000 });
    const answer = await give(made.id, [{ ...photo, content }]);
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { id: made.id, status: 'ACTION_REQUIRED', flow: 'VISUAL_PROOF' },
    ]);
    const files = await filesOf(made.id);
    const sha256 = createHash('sha256').update(content).digest('hex');
    expect(files).toMatchObject([
      {
        kind: 'VISUAL_PROOF',
        name: 'my wallet.png',
        type: 'image/png',
        bytes: content.length,
        sha256,
        seenBefore: false,
      },
    ]);
    const link = await linkTo(made.id, files[0]?.id ?? '');
    const fetched = await fetch(api.url + link.pathname);
    expect(fetched.status).toBe(200);
    expect(Buffer.from(await fetched.arrayBuffer()).equals(content)).toBe(true);
    expect(Object.fromEntries(fetched.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(content.length),
      'content-disposition': `attachment; filename="${files[0]?.id}.png"`,
      'content-security-policy': expect.stringContaining('sandbox'),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    const decided = await tenant.patch(`/wallet-verification/${made.id}`, { status: 'VERIFIED' });
    expect([decided.status, decided.body['status']]).toEqual([200, 'VERIFIED']);
    expect((await eventsOf(made.id)).map(({ type, apiKeyId }) => [type, apiKeyId])).toEqual([
      ['REVIEWED', tenant.apiKeyId],
      ['FILE_VIEWED', tenant.apiKeyId],
      ['FILE_LINK_MADE', tenant.apiKeyId],
      ['PROOF_SUBMITTED', tenant.apiKeyId],
      ['CREATED', tenant.apiKeyId],
    ]);
    const { rows } = await database.pool.query<{ resource_version: number }>(
      'select resource_version from webhook_deliveries where resource_id = $1 order by resource_version',
      [made.id],
    );
    // One of the submission and one of the decision; that somebody looked is in the log only.
    expect(rows).toHaveLength(2);
  });
});

describe('what is taken', () => {
  const whole: [name: string, part: Part][] = [
    ['jpeg', { fileName: 'a.JPG', type: 'image/jpeg', content: jpeg() }],
    ['png', photo],
    ['pdf', { fileName: 'a.pdf', type: 'application/pdf', content: pdf() }],
    ['mp4', { fileName: 'a.mp4', type: 'video/mp4', content: isoMedia() }],
    ['m4v', { fileName: 'a.m4v', type: 'video/x-m4v', content: isoMedia('M4V ') }],
    ['mov', { fileName: 'a.mov', type: 'video/quicktime', content: isoMedia('qt  ') }],
    ['3gp', { fileName: 'a.3gp', type: 'video/3gpp', content: isoMedia('3gp4') }],
    ['webm', { fileName: 'a.webm', type: 'video/webm', content: ebml('webm') }],
    [
      'webm as a browser records it',
      { fileName: 'a.webm', type: 'video/webm;codecs=vp8', content: ebml('webm', { live: true }) },
    ],
    ['mkv', { fileName: 'a.mkv', type: 'video/x-matroska', content: ebml('matroska') }],
    ['avi', { fileName: 'a.avi', type: 'video/x-msvideo', content: avi() }],
    ['wmv', { fileName: 'a.wmv', type: 'video/x-ms-wmv', content: asf() }],
    ['mpeg', { fileName: 'a.mpeg', type: 'video/mpeg', content: mpeg() }],
    ['a type that the sender does not know', { fileName: 'a.png', content: png() }],
    ['what a browser calls blob', { fileName: 'blob', type: 'image/png', content: png() }],
    ['a name and a type that say nothing', { fileName: 'upload.bin', content: isoMedia() }],
    ['a photo with a film behind it', { fileName: 'a.jpg', content: Buffer.concat([jpeg(), isoMedia()]) }],
    ['a large video', { fileName: 'a.mp4', type: 'video/mp4', content: isoMedia('isom', 20_000_000) }],
  ];
  test.each(whole)('%s', async (_name, part) => {
    const made = await visual();
    const answer = await give(made.id, [part]);
    expect([answer.status, answer.body.status]).toEqual([200, 'ACTION_REQUIRED']);
    const [file] = await filesOf(made.id);
    const link = await linkTo(made.id, file?.id ?? '');
    const fetched = Buffer.from(await (await fetch(api.url + link.pathname)).arrayBuffer());
    expect(fetched.equals(part.content)).toBe(true);
  });

  test('three files, in their order', async () => {
    const made = await visual();
    const parts = [whole[0]?.[1], whole[2]?.[1], whole[3]?.[1]].filter((part) => part !== undefined);
    expect((await give(made.id, parts)).status).toBe(200);
    expect((await filesOf(made.id)).map(({ type }) => type)).toEqual([
      'image/jpeg',
      'application/pdf',
      'video/mp4',
    ]);
  });
});

describe('what is refused leaves nothing behind', () => {
  const tail = (content: Buffer) => content.subarray(0, -20);
  const withScript = (content: Buffer) => Buffer.concat([content, Buffer.from('<script>alert(1)</script>')]);
  const named = (fileName: string, content: Buffer, type?: string): Part[] => [
    { fileName, content, ...(type !== undefined && { type }) },
  ];
  const refused: [name: string, parts: Part[], status: number, code: string][] = [
    ['a png that is called jpg', named('a.jpg', png()), 400, 'file_type_not_allowed'],
    ['a png that is declared a pdf', named('a.png', png(), 'application/pdf'), 400, 'file_type_not_allowed'],
    ['an mp4 that is called png', named('a.png', isoMedia(), 'image/png'), 400, 'file_type_not_allowed'],
    ['a program', named('blob', Buffer.from('MZ a program')), 400, 'file_type_not_allowed'],
    [
      'svg',
      named('a.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
      400,
      'file_type_not_allowed',
    ],
    [
      'svg that is called png',
      named('a.png', Buffer.from('<svg/>'), 'image/png'),
      400,
      'file_type_not_allowed',
    ],
    [
      'html that is called pdf',
      named('a.pdf', Buffer.from('<html>%PDF-1.4 %%EOF')),
      400,
      'file_type_not_allowed',
    ],
    ['an empty file', named('a.png', Buffer.alloc(0), 'image/png'), 400, 'file_type_not_allowed'],
    ['a cut png', named('a.png', tail(png())), 400, 'file_type_not_allowed'],
    ['a cut jpeg', named('a.jpg', tail(jpeg())), 400, 'file_type_not_allowed'],
    ['a cut pdf', named('a.pdf', tail(pdf())), 400, 'file_type_not_allowed'],
    ['a cut mp4', named('a.mp4', tail(isoMedia())), 400, 'file_type_not_allowed'],
    ['a cut webm', named('a.webm', tail(ebml('webm'))), 400, 'file_type_not_allowed'],
    ['a cut avi', named('a.avi', tail(avi())), 400, 'file_type_not_allowed'],
    ['a cut wmv', named('a.wmv', tail(asf())), 400, 'file_type_not_allowed'],
    ['a png with a script behind it', named('a.png', withScript(png())), 400, 'file_type_not_allowed'],
    ['a pdf with a script behind it', named('a.pdf', withScript(pdf())), 400, 'file_type_not_allowed'],
    ['an mp4 with a script behind it', named('a.mp4', withScript(isoMedia())), 400, 'file_type_not_allowed'],
    ['an mp4 of 12 bytes', named('a.mp4', isoMedia().subarray(0, 12)), 400, 'file_type_not_allowed'],
    ['an mp4 without a track', named('a.mp4', isoMedia().subarray(0, 20)), 400, 'file_type_not_allowed'],
    ['wmv with sound only', named('a.wmv', asf({ stream: 'audio' })), 400, 'file_type_not_allowed'],
    ['a transport stream', named('a.mpeg', transportStream()), 400, 'file_type_not_allowed'],
    ['a picture over 5 MB', named('a.png', png({ padding: 5 * 1024 * 1024 })), 413, 'file_too_large'],
    ['a video over 50 MB', named('a.mp4', isoMedia('isom', 50 * 1024 * 1024)), 413, 'file_too_large'],
    ['a fourth file', [photo, photo, photo, photo], 400, 'validation_failed'],
    ['another name of the part', [{ ...photo, name: 'file' }], 400, 'validation_failed'],
    [
      'a good file and a bad one',
      [photo, { fileName: 'b.png', content: tail(png()) }],
      400,
      'file_type_not_allowed',
    ],
    ['no file', [], 400, 'validation_failed'],
  ];
  test.each(refused)('%s', async (_name, parts, status, code) => {
    const made = await visual();
    const before = await objects();
    const answer = await give(made.id, parts);
    expect([answer.status, answer.body['code']]).toEqual([status, code]);
    expect(JSON.stringify(answer.body)).not.toContain('my wallet');
    expect(await rowsOf(made.id)).toEqual([]);
    expect(await objects()).toEqual(before);
    const now = await readVerification(tenant, made.id);
    expect(now).toMatchObject({ status: 'PENDING', flow: null });
    if (parts.length > 0) expect(now).toEqual(made);
  });

  test('files with another flow', async () => {
    const made = await createVerification(tenant, { allowedFlows: ['VISUAL_PROOF', 'SELF_DECLARED'] });
    const before = await objects();
    const answer = await give(made.id, [photo], { flow: 'SELF_DECLARED' });
    expect([answer.status, answer.body['errors']]).toMatchObject([400, [{ pointer: '/files' }]]);
    expect(await rowsOf(made.id)).toEqual([]);
    expect(await objects()).toEqual(before);
    expect((await readVerification(tenant, made.id)).status).toBe('PENDING');
  });

  test('a flow that is not allowed, a verification that is over: before anything is stored', async () => {
    const other = await createVerification(tenant, { allowedFlows: ['SELF_DECLARED'] });
    expect((await give(other.id, [photo])).status).toBe(400);
    const done = await visual();
    await give(done.id, [photo]);
    const before = await objects();
    const again = await give(done.id, [photo]);
    expect([again.status, again.body['code']]).toEqual([409, 'verification_completed']);
    expect(await objects()).toEqual(before);
    expect(await rowsOf(done.id)).toHaveLength(1);
  });

  test('JSON, with a text that says how', async () => {
    const made = await visual();
    const answer = await submit(tenant, made.id, { verificationFlow: 'VISUAL_PROOF' });
    expect([answer.status, answer.body['errors']]).toMatchObject([
      400,
      [{ pointer: '/files', message: expect.stringContaining('multipart/form-data') }],
    ]);
  });

  test('a connection that is cut in the middle', async () => {
    const made = await visual();
    const before = await objects();
    const boundary = 'cut';
    const request = httpRequest(`${api.url}/wallet-verification/${made.id}/verification`, {
      method: 'POST',
      headers: { 'X-Api-Key': tenant.apiKey, 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    });
    request.on('error', () => undefined);
    request.write(
      `--${boundary}\r\nContent-Disposition: form-data; name="verificationFlow"\r\n\r\nVISUAL_PROOF\r\n` +
        `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="a.mp4"\r\nContent-Type: video/mp4\r\n\r\n`,
    );
    request.write(isoMedia('isom', 5_000_000).subarray(0, 2_000_000));
    // It is being stored; only then it is cut.
    await eventually(
      async () => await objects(),
      (files) => files.length > before.length,
    );
    request.destroy();
    await eventually(
      async () => [await rowsOf(made.id), await objects()],
      ([rows, files]) => rows?.length === 0 && files?.length === before.length,
    );
    expect(await readVerification(tenant, made.id)).toEqual(made);
  });
});

test('a repeat under the same Idempotency-Key gets the first answer, and its files are not stored twice', async () => {
  const made = await visual();
  const headers = { 'Idempotency-Key': `visual-${made.id}` };
  const first = await give(made.id, [photo], { headers });
  const before = await objects();
  const second = await give(made.id, [photo], { headers });
  expect([second.status, second.body]).toEqual([200, first.body]);
  expect(second.headers.get('Idempotency-Replayed')).toBe('true');
  const other = await give(made.id, [{ ...photo, content: png({ text: 'other' }) }], { headers });
  expect(other.status).toBe(422);
  expect(await objects()).toEqual(before);
  expect(await rowsOf(made.id)).toHaveLength(1);
});

test('of two uploads at once one is the proof, and nothing is left of the other', async () => {
  const made = await visual();
  const before = await objects();
  const answers = await Promise.all([give(made.id, [photo]), give(made.id, [photo])]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(await rowsOf(made.id)).toHaveLength(1);
  expect(await objects()).toHaveLength(before.length + 1);
});

describe('what is stored', () => {
  test('is sealed: neither content nor name nor hash is readable in storage or database', async () => {
    const made = await visual();
    const content = png({ text: 'CANARRIO-IN-A-PICTURE', padding: 150_000 });
    await give(made.id, [{ ...photo, fileName: 'canarrio-name.png', content }]);
    const sha256 = createHash('sha256').update(content).digest();
    const { rows } = await database.pool.query<{ text: string }>(
      'select f::text as text from verification_files f where verification_id = $1',
      [made.id],
    );
    const stored = await Promise.all((await objects()).map(async (path) => await readFile(path)));
    const all = Buffer.concat([Buffer.from(rows.map(({ text }) => text).join()), ...stored]);
    for (const needle of [
      'CANARRIO',
      'canarrio',
      Buffer.from('canarrio').toString('hex'),
      sha256.toString('hex'),
    ]) {
      expect(all.includes(needle)).toBe(false);
    }
    expect(JSON.stringify(api.log)).not.toContain('canarrio');
  });

  test('that the same picture was given before is told, of whichever tenant, and not by whom', async () => {
    const other = await createTenant(api);
    const content = png({ text: 'twice' });
    const [first, second] = [
      await createVerification(other, { allowedFlows: ['VISUAL_PROOF'] }),
      await visual(),
    ];
    await give(first.id, [{ ...photo, content }], { key: other.apiKey });
    await give(second.id, [{ ...photo, content }, photo]);
    expect((await filesOf(second.id))[0]).toMatchObject({ seenBefore: true });
    const own = await other.get<VerificationFile[]>(`/wallet-verification/${first.id}/files`);
    expect(own.body).toMatchObject([{ seenBefore: false }]);
    expect(JSON.stringify(await filesOf(second.id))).not.toContain(first.id);
  });
});

describe('links', () => {
  async function linked() {
    const made = await visual();
    await give(made.id, [photo]);
    const [file] = await filesOf(made.id);
    return { made, fileId: file?.id ?? '', link: await linkTo(made.id, file?.id ?? '') };
  }
  const statusOf = async (path: string) => (await fetch(api.url + path)).status;

  test('are over after 60 seconds', async () => {
    const { link, fileId } = await linked();
    expect(await statusOf(link.pathname)).toBe(200);
    const actor = { kind: 'API_KEY', id: tenant.apiKeyId } as const;
    const over = makeFileLink(api.db.vault, fileId, actor, new Date(Date.now() - 60_000));
    expect(await statusOf(`/files/${over.token}`)).toBe(404);
    const fresh = makeFileLink(api.db.vault, fileId, actor, new Date(Date.now() - 30_000));
    expect(await statusOf(`/files/${fresh.token}`)).toBe(200);
  });

  test('do not work with one bit changed, wherever it is', async () => {
    const { link, made } = await linked();
    const bytes = Buffer.from(link.pathname.slice('/files/'.length), 'base64url');
    for (let at = 0; at < bytes.length; at += IS_FULL ? 1 : 17) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(await statusOf(`/files/${changed.toString('base64url')}`)).toBe(404);
    }
    expect(await statusOf('/files/nonsense')).toBe(404);
    expect((await eventsOf(made.id)).filter(({ type }) => type === 'FILE_VIEWED')).toEqual([]);
  });

  test('are given to reviewers only, and for files of the verification that is named', async () => {
    const { made, fileId } = await linked();
    const observer = await tenant.as('OBSERVER');
    const path = `/wallet-verification/${made.id}/files`;
    expect((await observer.get(path)).status).toBe(403);
    expect((await observer.get(`${path}/${fileId}/url`)).status).toBe(403);
    const reviewer = await tenant.as('COMPLIANCE');
    expect((await reviewer.get(`${path}/${fileId}/url`)).status).toBe(200);
    const other = await visual();
    expect((await tenant.get(`/wallet-verification/${other.id}/files/${fileId}/url`)).status).toBe(404);
    const stranger = await createTenant(api);
    expect((await stranger.get(`${path}/${fileId}/url`)).status).toBe(404);
    expect((await stranger.get(path)).status).toBe(404);
  });

  test('die with the verification', async () => {
    const { made, link } = await linked();
    await tenant.delete(`/wallet-verification/${made.id}`);
    expect(await statusOf(link.pathname)).toBe(404);
  });

  test('a file that was changed in the storage does not arrive whole', async () => {
    const made = await visual();
    const known = new Set(await objects());
    await give(made.id, [{ ...photo, content: png({ padding: 300_000 }) }]);
    const [path = ''] = (await objects()).filter((each) => !known.has(each));
    const [file] = await filesOf(made.id);
    const sealed = await readFile(path);
    await writeFile(path, sealed.subarray(0, 3 * (65_536 + 33)));
    const link = await linkTo(made.id, file?.id ?? '');
    await expect(fetch(api.url + link.pathname).then((answer) => answer.arrayBuffer())).rejects.toThrow();
  });
});

test('the hosted page takes files through the same door', async () => {
  const made = await visual();
  const post = async (files: Part[]) =>
    await fetch(`${api.url}/wallet/verification/proof`, {
      method: 'POST',
      headers: { 'X-Verification-Token': made.token },
      body: formOf({ verificationFlow: 'VISUAL_PROOF' }, files),
    });
  const bad = await post([{ fileName: 'a.jpg', content: png() }]);
  expect([bad.status, await bad.json()]).toMatchObject([400, { code: 'file_type_not_allowed' }]);
  expect(await rowsOf(made.id)).toEqual([]);
  const good = await post([photo]);
  expect([good.status, await good.json()]).toMatchObject([200, { status: 'ACTION_REQUIRED' }]);
  const [event] = (await eventsOf(made.id)).filter(({ type }) => type === 'PROOF_SUBMITTED');
  expect(event).toMatchObject({ actor: 'SYSTEM', data: { via: 'HOSTED_PAGE', files: 1 } });
});

describe('where files are scanned by clamd', () => {
  let scanner: Awaited<ReturnType<typeof fakeClamd>>;
  let scanned = 0;

  const { api, database } = useApi(async () => {
    scanner = await fakeClamd((content) => {
      scanned += 1;
      if (content.includes('too much')) return 'INSTREAM size limit exceeded. ERROR';
      return content.includes('a test virus') ? 'stream: Eicar FOUND' : 'stream: OK';
    });
    return { config: { CLAMD_URL: scanner.url } };
  });
  const tenant = useTenant(api);
  afterAll(() => scanner.stop());

  async function give(id: string, ...contents: Buffer[]) {
    const files = contents.map((content) => ({ fileName: 'a.png', content }));
    const answer = await fetch(`${api.url}/wallet-verification/${id}/verification`, {
      method: 'POST',
      headers: { 'X-Api-Key': tenant.apiKey },
      body: formOf({ verificationFlow: 'VISUAL_PROOF' }, files),
    });
    return { status: answer.status, body: (await answer.json()) as Json, headers: answer.headers };
  }

  async function leftOf(id: string) {
    const entries = await readdir(api.config.STORAGE_DIR ?? '', { recursive: true, withFileTypes: true });
    const { rows } = await database.pool.query(
      'select 1 from verification_files where verification_id = $1',
      [id],
    );
    return {
      objects: entries.filter((entry) => entry.isFile() && entry.parentPath.includes(id)).length,
      rows: rows.length,
    };
  }

  const visual = async () => await createVerification(tenant, { allowedFlows: ['VISUAL_PROOF'] });

  test('what the scanner finds clean is taken', async () => {
    const made = await visual();
    expect((await give(made.id, png())).status).toBe(200);
    expect(scanned).toBe(1);
    expect(await leftOf(made.id)).toEqual({ objects: 1, rows: 1 });
  });

  test('an infected file is refused with all that came along, and the verification stays PENDING', async () => {
    const made = await visual();
    const answer = await give(made.id, png(), png({ text: 'a test virus' }));
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { code: 'file_type_not_allowed', errors: [{ pointer: '/files', code: 'infected' }] },
    ]);
    expect(await leftOf(made.id)).toEqual({ objects: 0, rows: 0 });
    expect(await readVerification(tenant, made.id)).toEqual(made);
  });

  test('what the scanner cannot judge is 503, and nothing is left', async () => {
    const made = await visual();
    const answer = await give(made.id, png({ text: 'too much' }));
    expect([answer.status, answer.body['code']]).toEqual([503, 'temporarily_unavailable']);
    expect(answer.headers.get('Retry-After')).toBe('30');
    expect(await leftOf(made.id)).toEqual({ objects: 0, rows: 0 });
  });

  test('a scanner that is not there is 503, and nothing is left', async () => {
    const other = await startSecondApi(api, {
      config: { STORAGE_DIR: api.config.STORAGE_DIR, CLAMD_URL: 'tcp://127.0.0.1:9' },
    });
    const made = await visual();
    const answer = await fetch(`${other.url}/wallet-verification/${made.id}/verification`, {
      method: 'POST',
      headers: { 'X-Api-Key': tenant.apiKey },
      body: formOf({ verificationFlow: 'VISUAL_PROOF' }, [
        { fileName: 'a.mp4', content: isoMedia('isom', 3_000_000) },
      ]),
    });
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'temporarily_unavailable' }]);
    expect(await leftOf(made.id)).toEqual({ objects: 0, rows: 0 });
    expect(await readVerification(tenant, made.id)).toEqual(made);
  });
});
