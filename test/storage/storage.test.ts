import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localFolder } from '../../storage/local-folder.ts';
import { s3Bucket } from '../../storage/s3.ts';
import { signedHeaders } from '../../storage/s3-signature.ts';
import { ObjectMissing, type Storage } from '../../storage/storage.ts';
import { eventually } from '../eventually.ts';
import { createReceivers } from '../fakes/receivers.ts';
import { fakeS3 } from '../fakes/s3.ts';

const key = () => `${randomUUID()}/${randomUUID()}/${randomUUID()}`;

async function* pieces(content: Buffer, size = 70_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

async function* breaking(): AsyncGenerator<Buffer> {
  yield Buffer.alloc(100_000, 1);
  throw new Error('the sender went away');
}

async function readAll(storage: Storage, name: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await storage.get(name)) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

interface Kept {
  storage: Storage;
  /** Names of all that is kept. */
  kept: () => Promise<string[]>;
  stop: () => Promise<void>;
}

async function folder(): Promise<Kept> {
  const path = await mkdtemp(join(tmpdir(), 'waybill-storage-'));
  return {
    storage: localFolder(path),
    kept: async () => await filesIn(path),
    stop: async () => await rm(path, { recursive: true }),
  };
}

async function bucket(): Promise<Kept> {
  const fake = await fakeS3();
  return {
    storage: s3Bucket(fake.place),
    kept: async () => await Promise.resolve([...fake.objects.keys()]),
    stop: async () => {
      fake.stop();
      await Promise.resolve();
    },
  };
}

describe.each([
  ['a folder', folder],
  ['a bucket', bucket],
])('%s', (_name, open) => {
  let kept: Kept;
  beforeEach(async () => {
    kept = await open();
  });
  afterEach(async () => await kept.stop());

  test('gives back what it was given, once, and forgets it when asked to', async () => {
    const { storage } = kept;
    const [name, content] = [key(), Buffer.alloc(300_001, 'content')];
    await storage.put(name, pieces(content));
    expect((await readAll(storage, name)).equals(content)).toBe(true);
    await storage.delete(name);
    await expect(storage.get(name)).rejects.toThrow(ObjectMissing);
    await storage.delete(name);
    expect(await kept.kept()).toEqual([]);
  });

  test('keeps nothing of a content that breaks off', async () => {
    const name = key();
    await expect(kept.storage.put(name, breaking())).rejects.toThrow('the sender went away');
    expect(await kept.kept()).toEqual([]);
    await expect(kept.storage.get(name)).rejects.toThrow(ObjectMissing);
  });

  test('takes an empty content', async () => {
    const name = key();
    await kept.storage.put(name, pieces(Buffer.alloc(0)));
    expect(await readAll(kept.storage, name)).toHaveLength(0);
  });

  test.each(['../secret', 'a/../../b', '/etc/passwd', 'a//b', '', 'A', 'a b', `a/${'0'.repeat(65)}`])(
    'refuses %j as a key',
    async (name) => {
      await expect(kept.storage.put(name, pieces(Buffer.from('x')))).rejects.toThrow(TypeError);
      await expect(kept.storage.get(name)).rejects.toThrow(TypeError);
      await expect(kept.storage.delete(name)).rejects.toThrow(TypeError);
    },
  );
});

test('what a killed process left of a file is removed with its key', async () => {
  const { storage, kept, stop } = await folder();
  const name = key();
  let give: () => void = () => undefined;
  const more = new Promise<void>((resolve) => {
    give = resolve;
  });
  const put = storage.put(
    name,
    (async function* () {
      yield Buffer.from('the beginning');
      await more;
      throw new Error('too late');
    })(),
  );
  await eventually(kept, (files) => files.length === 1);
  await storage.delete(name);
  expect(await kept()).toEqual([]);
  give();
  await expect(put).rejects.toThrow('too late');
  await stop();
});

test('files are for this user only', async () => {
  const { storage, kept, stop } = await folder();
  await storage.put(key(), pieces(Buffer.from('x')));
  const [path = ''] = await kept();
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(join(path, '..'))).mode & 0o077).toBe(0);
  await stop();
});

test('a folder that cannot be written says so', async () => {
  const path = await mkdtemp(join(tmpdir(), 'waybill-storage-'));
  await writeFile(join(path, 'file'), '');
  await expect(localFolder(join(path, 'file')).put(key(), pieces(Buffer.from('x')))).rejects.toThrow(
    /ENOTDIR|EEXIST/,
  );
  await rm(path, { recursive: true });
});

test('a bucket refuses a wrong secret, and its refusal quotes nothing', async () => {
  const fake = await fakeS3();
  const storage = s3Bucket({ ...fake.place, secretAccessKey: 'wrong' });
  await expect(storage.put(key(), pieces(Buffer.from('x')))).rejects.toThrow('the storage answered 403');
  await expect(storage.get(key())).rejects.toThrow('the storage answered 403');
  expect(fake.objects.size).toBe(0);
  fake.stop();
});

test('a bucket that redirects is not followed: the signature is for nobody else', async () => {
  const fake = await fakeS3();
  const receivers = createReceivers();
  const moved = await receivers.receiver(
    (request, response) =>
      void request.resume().on('end', () => {
        response.writeHead(307, { location: `${fake.place.endpoint}${request.url}` }).end();
      }),
  );
  const storage = s3Bucket({ ...fake.place, endpoint: `http://127.0.0.1:${moved.port}` });
  await expect(storage.put(key(), pieces(Buffer.from('x')))).rejects.toThrow('the storage answered 307');
  await expect(storage.get(key())).rejects.toThrow('the storage answered 307');
  expect(fake.objects.size).toBe(0);
  await receivers.end();
  fake.stop();
});

test('an object that breaks off is no shorter object', async () => {
  const fake = await fakeS3();
  const receivers = createReceivers();
  const breaking = await receivers.receiver((_request, response) => {
    response.writeHead(200, { 'Content-Length': 100_000 });
    response.write('the beginning', () => response.destroy());
  });
  const storage = s3Bucket({ ...fake.place, endpoint: `http://127.0.0.1:${breaking.port}` });
  await expect(readAll(storage, key())).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  await receivers.end();
  fake.stop();
});

test('signatures are stable for the same request, and differ in method, path, time and key', () => {
  const request = {
    method: 'GET',
    url: new URL('https://s3.test/bucket/key'),
    headers: {},
    payloadHash: 'UNSIGNED-PAYLOAD',
    now: new Date('2026-01-02T03:04:05.678Z'),
  };
  const credentials = { region: 'us-east-1', accessKeyId: 'AKID', secretAccessKey: 'secret' };
  const signature = (changes: Partial<typeof request>, secret = credentials.secretAccessKey) =>
    signedHeaders({ ...request, ...changes }, { ...credentials, secretAccessKey: secret })['authorization'];
  expect(signature({})).toContain('Credential=AKID/20260102/us-east-1/s3/aws4_request');
  const all = [
    signature({}),
    signature({ method: 'PUT' }),
    signature({ url: new URL('https://s3.test/bucket/other') }),
    signature({ now: new Date('2026-01-02T03:04:06Z') }),
    signature({}, 'other'),
  ];
  expect(new Set(all).size).toBe(all.length);
  expect(signature({})).toBe(all[0]);
});

// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html, "Examples: Signature Calculations". The
// others of that page have a query, which no request of ours has.
test.each([
  {
    name: 'GET of an object with a Range',
    request: { method: 'GET', path: '/test.txt', headers: { range: 'bytes=0-9' }, payload: '' },
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    name: 'PUT of an object',
    request: {
      method: 'PUT',
      path: '/test%24file.text',
      headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      payload: 'Welcome to Amazon S3.',
    },
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
])('the signature that AWS publishes for $name', ({ request, signature }) => {
  const { method, path, headers, payload } = request;
  const { authorization } = signedHeaders(
    {
      method,
      url: new URL(`https://examplebucket.s3.amazonaws.com${path}`),
      headers: headers as Record<string, string>,
      payloadHash: createHash('sha256').update(payload).digest('hex'),
      now: new Date('2013-05-24T00:00:00Z'),
    },
    {
      region: 'us-east-1',
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    },
  );
  expect(authorization).toMatch(/ Credential=AKIAIOSFODNN7EXAMPLE\/20130524\/us-east-1\/s3\/aws4_request,/);
  expect(authorization).toMatch(new RegExp(` Signature=${signature}$`));
});
