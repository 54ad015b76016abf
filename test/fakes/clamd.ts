import { createServer, type AddressInfo, type Socket } from 'node:net';

/** Speaks the protocol of clamd: a command, chunks with their length in front, a chunk of nothing at the end. */
export async function fakeClamd(answer: (content: Buffer) => string | undefined) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let received = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const content = contentOf(received);
      if (content) answerWith(socket, answer(content));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { url: `tcp://127.0.0.1:${port}`, stop };
}

const COMMAND = 'zINSTREAM\0';

/** Undefined before the end. */
function contentOf(received: Buffer): Buffer | undefined {
  if (received.toString('latin1') === 'zPING\0') return received;
  const chunks: Buffer[] = [];
  for (let at = COMMAND.length; at + 4 <= received.length;) {
    const length = received.readUInt32BE(at);
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(received.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return undefined;
}

function answerWith(socket: Socket, text: string | undefined): void {
  if (text === undefined) socket.destroy();
  else socket.end(`${text}\0`);
}
