import { IsoMediaBoxWalk } from './iso-media-boxes.ts';
import { JpegMarkerWalk } from './jpeg-markers.ts';
import { refusedType, type EvidenceClass, type FileStructure } from './evidence-class.ts';

/** Number of bytes checked at the beginning of a file. */
export const HEAD_BYTES = 64 * 1024;
const TAIL_BYTES = 2_048;

/** The parts of a streamed file that are kept for the check. */
interface FileEnds {
  head: Buffer;
  tail: Buffer;
  bytes: number;
  boxes: IsoMediaBoxWalk;
  markers: JpegMarkerWalk;
}

/** Checks a file while it is streamed: it must be one complete file. */
export class StructureCheck {
  readonly #structure: FileStructure;
  readonly #ends: FileEnds = {
    head: Buffer.alloc(0),
    tail: Buffer.alloc(0),
    bytes: 0,
    boxes: new IsoMediaBoxWalk(),
    markers: new JpegMarkerWalk(),
  };

  constructor({ structure }: EvidenceClass) {
    this.#structure = structure;
  }

  push(chunk: Uint8Array): void {
    const ends = this.#ends;
    const missing = HEAD_BYTES - ends.head.length;
    if (missing > 0) ends.head = Buffer.concat([ends.head, chunk.subarray(0, missing)]);
    ends.tail = Buffer.concat([ends.tail, chunk.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
    ends.bytes += chunk.length;
    if (this.#structure === 'ISO_MEDIA') ends.boxes.push(chunk);
    if (this.#structure === 'JPEG') ends.markers.push(chunk);
  }

  /** Throws file_type_not_allowed for a file that is truncated or, except for a JPEG, has other data appended. */
  requireWhole(part?: string): void {
    if (!CHECKS[this.#structure](this.#ends))
      throw refusedType('The file is truncated, or has other data appended.', part);
  }
}

const PNG_END = Buffer.from('0000000049454e44ae426082', 'hex');

const CHECKS: Record<FileStructure, (ends: FileEnds) => boolean> = {
  PNG: ({ tail }) => tail.subarray(-PNG_END.length).equals(PNG_END),
  // Phones append a film, a depth map or zeros.
  JPEG: ({ markers }) => markers.isWhole(),
  PDF: ({ tail }) => /%%EOF[\s\0]*$/.test(tail.toString('latin1')),
  ISO_MEDIA: ({ boxes }) => boxes.isWhole(),
  RIFF: isWholeRiff,
  EBML: isWholeEbml,
  ASF: isWholeAsf,
  // Not all programs mark the end, so only a minimum length is checked; the beginning was already recognised.
  MPEG: ({ bytes }) => bytes >= MIN_MPEG_BYTES,
};

const MIN_MPEG_BYTES = 2_048;

const RIFF_HEADER_BYTES = 8;

/** The RIFF length counts the bytes after it; an odd length is followed by a padding byte. */
function isWholeRiff({ head, bytes }: FileEnds): boolean {
  if (head.length < 12) return false;
  const size = head.readUInt32LE(4);
  return size > 4 && bytes === RIFF_HEADER_BYTES + size + (size % 2);
}

const EBML_ID = 0x1a45dfa3;
const SEGMENT_ID = 0x18538067;
/** A segment without tracks contains no video. */
const TRACKS_ID = Buffer.from('1654ae6b', 'hex');

/** A header, then one segment up to the end; a browser's live recording has a segment of unknown length. */
function isWholeEbml({ head, bytes }: FileEnds): boolean {
  const header = readElement(head, 0);
  if (header?.id !== EBML_ID || header.size === null) return false;
  const segment = readElement(head, header.content + header.size);
  if (segment?.id !== SEGMENT_ID || !head.includes(TRACKS_ID)) return false;
  return segment.size === null || segment.content + segment.size === bytes;
}

/** An EBML element with a four-byte id: the offset and size of its content; the size is null if unknown. */
function readElement(
  bytes: Buffer,
  at: number,
): { id: number; content: number; size: number | null } | undefined {
  const first = bytes[at + 4];
  if (first === undefined || first === 0) return undefined;
  const length = Math.clz32(first) - 23;
  const content = at + 4 + length;
  if (bytes.length < content) return undefined;
  // The leading one bit only marks the number of bytes of the size.
  let size = BigInt(first) & ((1n << BigInt(8 - length)) - 1n);
  for (const byte of bytes.subarray(at + 5, content)) size = (size << 8n) | BigInt(byte);
  const isUnknown = size === (1n << BigInt(7 * length)) - 1n;
  return { id: bytes.readUInt32BE(at), content, size: isUnknown ? null : Number(size) };
}

/** The object that contains the length of an ASF file (ASF specification, 3.2). */
const FILE_PROPERTIES = Buffer.from('a1dcab8c47a9cf118ee400c00c205365', 'hex');
const FILE_SIZE_AT = 40;
const FLAGS_AT = 88;

function isWholeAsf({ head, bytes }: FileEnds): boolean {
  const at = head.indexOf(FILE_PROPERTIES);
  if (at < 0 || head.length < at + FLAGS_AT + 4) return false;
  // A broadcast states no length.
  const isBroadcast = (head.readUInt32LE(at + FLAGS_AT) & 1) === 1;
  return isBroadcast || head.readBigUInt64LE(at + FILE_SIZE_AT) === BigInt(bytes);
}
