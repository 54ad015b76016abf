import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

const CREDENTIALS = { region: 'eu-test-1', accessKeyId: 'AKIDTEST', secretAccessKey: 'a/secret+key' };

/** A bucket over HTTP that takes only requests whose signature it can make itself, by the published steps. */
export async function fakeS3() {
  const objects = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const path = request.url ?? '';
      if (!isSigned(request)) return response.writeHead(403).end('<Error>SignatureDoesNotMatch</Error>');
      if (!path.startsWith('/evidence/')) return response.writeHead(404).end();
      if (request.method === 'PUT') {
        if (request.headers['transfer-encoding'])
          return response.writeHead(501).end('<Error>NotImplemented</Error>');
        objects.set(path, Buffer.concat(chunks));
        return response.writeHead(200).end();
      }
      if (request.method === 'DELETE') return (objects.delete(path), response.writeHead(204).end());
      const found = objects.get(path);
      return found
        ? response.writeHead(200).end(found)
        : response.writeHead(404).end('<Error>NoSuchKey</Error>');
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { place: { endpoint, bucket: 'evidence', ...CREDENTIALS }, objects, stop: () => server.close() };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

function isSigned({ method, url, headers }: IncomingMessage): boolean {
  const match =
    /^AWS4-HMAC-SHA256 Credential=(\w+)\/(\d{8})\/([\w-]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+), Signature=(\w{64})$/.exec(
      headers.authorization ?? '',
    );
  if (!match) return false;
  const [, id, day = '', region = '', names = '', signature] = match;
  const date = String(headers['x-amz-date']);
  const isFresh =
    Math.abs(Date.now() - Date.parse(date.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'))) <
    60_000;
  const lines = names.split(';').map((name) => `${name}:${String(headers[name])}`);
  const canonical = [method, url, '', ...lines, '', names, headers['x-amz-content-sha256']].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = `AWS4-HMAC-SHA256\n${date}\n${scope}\n${sha256(canonical)}`;
  const day1 = hmac(`AWS4${CREDENTIALS.secretAccessKey}`, day);
  const key = hmac(hmac(hmac(day1, region), 's3'), 'aws4_request');
  const isBound = ['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) =>
    names.split(';').includes(name),
  );
  return (
    isFresh &&
    isBound &&
    date.startsWith(day) &&
    id === CREDENTIALS.accessKeyId &&
    hmac(key, text).toString('hex') === signature
  );
}
