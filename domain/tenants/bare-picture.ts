const PNG_SIGNATURE_BYTES = 8;
/** Length, type and checksum. */
const PNG_ENVELOPE_BYTES = 12;
/** What a picture needs: pixels, palette, transparency and the simple descriptions of its colours. */
const PNG_KEPT = ['IHDR', 'PLTE', 'tRNS', 'gAMA', 'cHRM', 'sRGB', 'IDAT', 'IEND'];

/**
 * A PNG or JPEG without what is no picture: texts, places and times of cameras, thumbnails, colour profiles, data of
 * programs.
 * Undefined if the file is malformed or has other data appended; a file of two formats is one of these.
 */
export function barePicture(mimeType: 'image/png' | 'image/jpeg', bytes: Buffer): Buffer | undefined {
  return mimeType === 'image/png' ? barePng(bytes) : bareJpeg(bytes);
}

function barePng(bytes: Buffer): Buffer | undefined {
  const kept = [bytes.subarray(0, PNG_SIGNATURE_BYTES)];
  let at = PNG_SIGNATURE_BYTES;
  while (at + PNG_ENVELOPE_BYTES <= bytes.length) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    const end = at + PNG_ENVELOPE_BYTES + bytes.readUInt32BE(at);
    if (end > bytes.length) return undefined;
    if (PNG_KEPT.includes(type)) kept.push(bytes.subarray(at, end));
    if (type === 'IEND') return end === bytes.length ? Buffer.concat(kept) : undefined;
    at = end;
  }
  return undefined;
}

const PREFIX = 0xff;
const [START_OF_IMAGE, END_OF_IMAGE, START_OF_SCAN] = [0xd8, 0xd9, 0xda];
/** Segments that begin with their length; the first that belong to programs, and the comment. */
const [APP0, APP14, APP15, COMMENT] = [0xe0, 0xee, 0xef, 0xfe];

/** Follows the segments of a JPEG (ITU-T T.81, annex B). */
function bareJpeg(bytes: Buffer): Buffer | undefined {
  const kept = [bytes.subarray(0, 2)];
  let at = 2;
  while (at + 2 <= bytes.length && bytes[at] === PREFIX) {
    const code = bytes.readUInt8(at + 1);
    if (code === END_OF_IMAGE) return withEnd(kept, bytes.subarray(at));
    const end = segmentEnd(bytes, at, code);
    if (end === undefined) return undefined;
    const segment = bytes.subarray(at, end);
    if (isNeeded(code, segment)) kept.push(segment);
    at = end;
  }
  return undefined;
}

/** Some programs fill a file up with zeros; anything else behind the end of the picture is refused. */
function withEnd(kept: Buffer[], rest: Buffer): Buffer | undefined {
  const [end, behind] = [rest.subarray(0, 2), rest.subarray(2)];
  return behind.every((byte) => byte === 0) ? Buffer.concat([...kept, end]) : undefined;
}

/** JFIF without a thumbnail, and how Adobe's programs have stored the colours: they have one length each. */
function isNeeded(code: number, segment: Buffer): boolean {
  const name = segment.toString('latin1', 4, 9);
  if (code === APP0) return segment.length === 18 && name === 'JFIF\0';
  if (code === APP14) return segment.length === 16 && name === 'Adobe';
  return code !== PREFIX && !(code > APP0 && code <= APP15) && !(code >= 0xf0 && code <= COMMENT);
}

/** The offset behind a segment, of a scan behind its data. Undefined if the file ends before, or another picture begins. */
function segmentEnd(bytes: Buffer, at: number, code: number): number | undefined {
  if (code === PREFIX) return at + 1;
  if (code === START_OF_IMAGE) return undefined;
  if (code <= 0x01 || isRestart(code)) return at + 2;
  if (at + 4 > bytes.length) return undefined;
  const length = bytes.readUInt16BE(at + 2);
  const end = at + 2 + length;
  if (length < 2 || end > bytes.length) return undefined;
  return code === START_OF_SCAN ? scanEnd(bytes, end) : end;
}

/** In the data of a scan, 0xFF is followed by 0 or by the number of a restart. */
function scanEnd(bytes: Buffer, start: number): number | undefined {
  let at = bytes.indexOf(PREFIX, start);
  while (at >= 0 && at + 1 < bytes.length) {
    const code = bytes.readUInt8(at + 1);
    if (code === PREFIX) at += 1;
    else if (code === 0 || isRestart(code)) at = bytes.indexOf(PREFIX, at + 2);
    else return at;
  }
  return undefined;
}

function isRestart(code: number): boolean {
  return code >= 0xd0 && code <= 0xd7;
}
