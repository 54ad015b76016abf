import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import busboy from 'busboy';

/** What the program was sent. */
export interface SeenSelfie {
  metadata: unknown;
  files: { name: string; type: string; content: Buffer }[];
}

/** A program that judges selfies: reads the form as it is documented and answers what the test says. */
export async function fakeLiveness(answer: (seen: SeenSelfie) => { status: number; body: unknown }) {
  const seen: SeenSelfie[] = [];
  const server = createServer((request, response) => {
    void readForm(request)
      .then((selfie) => {
        seen.push(selfie);
        const { status, body } = answer(selfie);
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/analyse`,
    seen,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function readForm(request: IncomingMessage): Promise<SeenSelfie> {
  const selfie: SeenSelfie = { metadata: undefined, files: [] };
  const parser = busboy({ headers: request.headers });
  await new Promise<void>((resolve, reject) => {
    parser.on('field', (name, text) => {
      if (name === 'metadata') selfie.metadata = JSON.parse(text);
    });
    parser.on(
      'file',
      (_name, stream, { filename = '', mimeType }: { filename?: string; mimeType: string }) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () =>
          selfie.files.push({ name: filename, type: mimeType, content: Buffer.concat(chunks) }),
        );
      },
    );
    parser.on('close', resolve);
    parser.on('error', reject);
    request.pipe(parser);
  });
  return selfie;
}
