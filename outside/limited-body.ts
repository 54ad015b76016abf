import { Transform, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { HttpFault, httpFaultOf } from './http-fault.ts';

interface BodyRules {
  /** The status of the response. */
  status: number;
  /** Counted after unpacking: a packed body may become any size. */
  maxBytes: number;
  isGzip: boolean;
}

/**
 * The body of a response as a stream of at most `maxBytes`. Every error is an HttpFault with the status. Destroying the
 * stream, or leaving a loop over it early, closes the connection.
 */
export function limitedBody(raw: Readable, { status, maxBytes, isGzip }: BodyRules): Readable {
  const gunzip = isGzip ? createGunzip() : undefined;
  const limited = byteLimit(maxBytes, status);
  for (const source of gunzip ? [raw, gunzip] : [raw]) {
    source.on('error', (error) => limited.destroy(httpFaultOf(error, status)));
    limited.on('close', () => source.destroy());
  }
  // An error before anybody reads must not end the process: whoever reads later still gets it.
  limited.on('error', () => undefined);
  return gunzip ? raw.pipe(gunzip).pipe(limited) : raw.pipe(limited);
}

function byteLimit(maxBytes: number, status: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(new HttpFault('TOO_LARGE', status));
      else done(null, chunk);
    },
  });
}

/** All of a body. Throws what the body fails with. */
export async function readWhole(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * What arrives of a body, at most a little over `maxBytes`. For responses whose status has decided already: a body that is
 * too long, breaks off or never ends changes nothing. A short body is read to its end, so that its connection is used again.
 */
export async function readStart(body: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes) break;
    }
  } catch (error) {
    if (!(error instanceof HttpFault)) throw error;
  }
  return Buffer.concat(chunks);
}
