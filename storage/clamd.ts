import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** The verdict of a virus scanner about a file. UNAVAILABLE: the file could not be scanned. */
export type ScanVerdict = 'CLEAN' | 'INFECTED' | 'UNAVAILABLE';

/** Scans one file while it is streamed. */
export interface ScanFile {
  write(chunk: Uint8Array): Promise<void>;
  end(): Promise<ScanVerdict>;
  /** Ends the scan early, without a verdict. */
  abort(): void;
}

/** Starts a scan; never throws, since every failure is the verdict UNAVAILABLE. */
export type VirusScanner = () => ScanFile;

const SILENCE_MS = 30_000;
const ANSWER_BYTES = 4_096;

/** Scans by clamd over TCP (`tcp://host:port`) with its INSTREAM command: chunks with their length in front, zero at the end. */
export function clamd(url: string): VirusScanner {
  return () => scanOver(connectTo(url));
}

/** True when clamd is reachable and answers within `limitMs` of silence. */
export async function isClamdReachable(url: string, limitMs: number): Promise<boolean> {
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
    // A closed connection takes no more bytes; the verdict reports it.
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
      return toVerdict(await answer);
    },
    abort() {
      socket.destroy();
    },
  };
}

/** Reads the answer until the end, or until the connection breaks. */
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

/** Any answer except the two known ones, such as that the file is too large, is UNAVAILABLE. */
function toVerdict(answer: string): ScanVerdict {
  const [line = ''] = answer.split('\0');
  if (line === 'stream: OK') return 'CLEAN';
  return /^stream: .+ FOUND$/s.test(line) ? 'INFECTED' : 'UNAVAILABLE';
}
