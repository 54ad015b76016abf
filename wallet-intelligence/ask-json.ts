/** No answer that is asked for comes near it: 100 transactions are some hundred kB. */
const MAX_BYTES = 4 << 20;

/** Why an outside answer cannot be used; the address that was asked may hold a secret and is never told. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
}

/** One question with a body for POST; no redirects, at most 4 MB, until the signal ends it. Throws NoAnswer. */
export async function askJson(url: string, signal: AbortSignal, body?: unknown): Promise<unknown> {
  try {
    const answer = await fetch(url, {
      signal,
      redirect: 'error',
      ...(body !== undefined && {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const bytes = await readAll(answer);
    if (!answer.ok) throw new NoAnswer(`status ${answer.status}`);
    return JSON.parse(bytes.toString()) as unknown;
  } catch (error) {
    if (error instanceof NoAnswer) throw error;
    throw new NoAnswer('no usable answer');
  }
}

async function readAll({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new NoAnswer('too much');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
