import { crc32, deflateSync } from 'node:zlib';

/** Files as their programs write them, as small as they can be. */

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, crc]);
}

/** One grey pixel; `text` makes it another file, `padding` a larger one. */
export function png({ text = '', padding = 0 } = {}): Buffer {
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0]);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from([0, 128]))),
    chunk('tEXt', Buffer.concat([Buffer.from(`Comment\0${text}`), Buffer.alloc(padding, 0x20)])),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** No picture: markers, a thumbnail with an end of its own, a scan with a stuffed byte and a restart, and the end. */
export function jpeg(): Buffer {
  return Buffer.concat([
    Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
    Buffer.from('ffe1000affd8ffda0000ffd9', 'hex'),
    Buffer.from('ffdb0043', 'hex'),
    Buffer.alloc(65, 1),
    Buffer.from('ffda0008010100003f00', 'hex'),
    Buffer.from('0102ff0003ffd00405060708090a0b0c0d0e0f', 'hex'),
    Buffer.from('ffd9', 'hex'),
  ]);
}

export function pdf(): Buffer {
  return Buffer.from(
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n' +
      'trailer<</Root 1 0 R>>\n%%EOF\n',
  );
}

export function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length + 8);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), body]);
}

/** `brand` decides what it is: `isom` mp4, `qt  ` mov, `M4V ` m4v, `3gp4` 3gp. */
export function isoMedia(brand = 'isom', data = 5_000): Buffer {
  const ftyp = box('ftyp', Buffer.from(brand, 'latin1'), Buffer.alloc(4), Buffer.from(brand, 'latin1'));
  const moov = box('moov', box('mvhd', Buffer.alloc(100)), box('trak', box('tkhd', Buffer.alloc(84))));
  return Buffer.concat([ftyp, moov, box('mdat', Buffer.alloc(data, 7))]);
}

function element(id: string, content: Buffer, isUnknownSize = false): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(isUnknownSize ? 0x01ffffffffffffffn : 0x0100000000000000n | BigInt(content.length));
  return Buffer.concat([Buffer.from(id, 'hex'), size, content]);
}

/** `live`: as a browser records it, without the length of the whole. */
export function ebml(docType: 'webm' | 'matroska', { live = false } = {}): Buffer {
  const header = element('1a45dfa3', element('4282', Buffer.from(docType)));
  const content = [element('1654ae6b', Buffer.alloc(40)), element('1f43b675', Buffer.alloc(2_000, 9))];
  return Buffer.concat([header, element('18538067', Buffer.concat(content), live)]);
}

export function avi(): Buffer {
  const list = Buffer.concat([Buffer.from('LIST'), Buffer.from([4, 0, 0, 0]), Buffer.from('hdrl')]);
  const body = Buffer.concat([Buffer.from('AVI '), list, Buffer.alloc(400)]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from('RIFF'), size, body]);
}

const guid = (hex: string) => Buffer.from(hex, 'hex');
const VIDEO_STREAM = 'c0ef19bc4d5bcf11a8fd00805f5c442b';
const AUDIO_STREAM = '409e69f84d5bcf11a8fd00805f5c442b';

function asfObject(id: string, content: Buffer): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(content.length + 24));
  return Buffer.concat([guid(id), size, content]);
}

/** Windows Media: with pictures, or with sound alone. */
export function asf({ stream = 'video' as 'video' | 'audio' } = {}): Buffer {
  const build = (bytes: number) => {
    const properties = Buffer.alloc(80);
    properties.writeBigUInt64LE(BigInt(bytes), 16);
    const type = guid(stream === 'video' ? VIDEO_STREAM : AUDIO_STREAM);
    const objects = Buffer.concat([
      asfObject('a1dcab8c47a9cf118ee400c00c205365', properties),
      asfObject('9107dcb7b7a9cf118ee600c00c205365', Buffer.concat([type, Buffer.alloc(60)])),
    ]);
    const count = Buffer.from([2, 0, 0, 0, 1, 2]);
    const header = asfObject('3026b2758e66cf11a6d900aa0062ce6c', Buffer.concat([count, objects]));
    return Buffer.concat([header, asfObject('3626b2758e66cf11a6d900aa0062ce6c', Buffer.alloc(500))]);
  };
  return build(build(0).length);
}

/** A program stream of MPEG-2. */
export function mpeg(): Buffer {
  return Buffer.concat([Buffer.from('000001ba44000400040100000303f8', 'hex'), Buffer.alloc(3_000, 5)]);
}

/** A transport stream: packets of 188 bytes. */
export function transportStream(): Buffer {
  const packet = Buffer.concat([Buffer.from([0x47, 0x40, 0, 0x10]), Buffer.alloc(184)]);
  return Buffer.concat(Array.from({ length: 20 }, () => packet));
}

export interface Part {
  name?: string;
  fileName: string;
  type?: string;
  content: Buffer;
}

/** A form with texts and files, in this order. */
export function formOf(texts: Readonly<Record<string, string>>, files: readonly Part[]): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(texts)) form.append(name, value);
  for (const { name = 'files', fileName, type = 'application/octet-stream', content } of files) {
    form.append(name, new Blob([Uint8Array.from(content)], { type }), fileName);
  }
  return form;
}
