import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** What a virus scanner says about a content. UNAVAILABLE: nobody knows. */
export type ScanVerdict = 'CLEAN' | 'INFECTED' | 'UNAVAILABLE';

/** Looks at one content while it passes by. */
export interface ScanFile {
  write(chunk: Uint8Array): Promise<void>;
  end(): Promise<ScanVerdict>;
  /** The content ends early; nobody wants the verdict. */
  abort(): void;
}

/** Begins a scan; never fails, whatever is wrong is the verdict. */
export type VirusScanner = () => ScanFile;

const SILENCE_MS = 30_000;
const ANSWER_BYTES = 4_096;

/** A clamd over TCP (`tcp://host:port`): its INSTREAM command, chunks with their length in front, zero at the end. */
export function clamd(url: string): VirusScanner {
  return () => scanOver(connectTo(url));
}

/** Whether a clamd is there and answers. */
export async function isClamdThere(url: string, limitMs: number): Promise<boolean> {
  const socket = connectTo(url);
  socket.setTimeout(limitMs, () => socket.destroy());
  socket.write('zPING\0');
  return (await readAnswer(socket)).startsWith('PONG\0');
}

function connectTo(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect({ host: hostname.replaceAll(/^\[|\]$/g, ''), port: Number(port) });
}

function scanOver(socket: Socket): ScanFile {
  socket.setTimeout(SILENCE_MS, () => socket.destroy());
  const answer = readAnswer(socket);
  socket.write('zINSTREAM\0');
  const send = async (bytes: Uint8Array) => {
    if (socket.destroyed || !socket.writable) return;
    // Whoever is gone needs no more: the verdict says so.
    if (!socket.write(bytes)) await Promise.race([once(socket, 'drain'), answer]).catch(() => undefined);
  };
  const lengthOf = (bytes: number) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes);
    return length;
  };
  return {
    async write(chunk) {
      if (chunk.length > 0) await send(Buffer.concat([lengthOf(chunk.length), chunk]));
    },
    async end() {
      await send(lengthOf(0));
      return combineFindings(await answer);
    },
    abort() {
      socket.destroy();
    },
  };
}

/** All that is answered until the end; what there is when the connection breaks. */
function readAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (text.length > ANSWER_BYTES || text.includes('\0')) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}

/** Anything but the two known answers, such as that the content was too large for it, is none. */
function combineFindings(answer: string): ScanVerdict {
  const [line = ''] = answer.split('\0');
  if (line === 'stream: OK') return 'CLEAN';
  return /^stream: .+ FOUND$/s.test(line) ? 'INFECTED' : 'UNAVAILABLE';
}
