import fc from 'fast-check';
import { IsoMediaBoxWalk } from '../../../domain/verifications/iso-media-boxes.ts';
import { classOf, extensionOf } from '../../../domain/verifications/evidence-class.ts';
import { JpegMarkerWalk } from '../../../domain/verifications/jpeg-markers.ts';
import { StructureCheck } from '../../../domain/verifications/evidence-structure.ts';
import { asf, avi, box, ebml, isoMedia, jpeg, mpeg, pdf, png } from '../../factories/evidence.ts';

function isWhole(content: Buffer, size = content.length): boolean {
  const walk = new IsoMediaBoxWalk();
  for (let at = 0; at < content.length; at += size) walk.push(content.subarray(at, at + size));
  return walk.isWhole();
}

describe('boxes of a film', () => {
  const film = isoMedia();

  test('are followed through pieces of any size', () => {
    for (const size of [1, 2, 3, 7, 8, 9, 100, 4_096]) expect(isWhole(film, size)).toBe(true);
  });

  test('no cut of it is whole', () => {
    for (let length = 0; length < film.length; length += 1) {
      expect([length, isWhole(film.subarray(0, length))]).toEqual([length, false]);
    }
  });

  test('a box may say its size in 64 bits, and the last one may go on to the end', () => {
    const moov = box('moov', Buffer.alloc(200));
    const large = Buffer.concat([
      Buffer.from('000000016d646174', 'hex'),
      Buffer.from('0000000000000020', 'hex'),
      Buffer.alloc(16),
    ]);
    expect(isWhole(Buffer.concat([moov, large]), 5)).toBe(true);
    expect(isWhole(Buffer.concat([moov, large.subarray(0, -1)]), 5)).toBe(false);
    const open = Buffer.concat([Buffer.from('000000006d646174', 'hex'), Buffer.alloc(500)]);
    expect(isWhole(Buffer.concat([moov, open]), 5)).toBe(true);
  });

  test.each([
    ['a size smaller than its header', Buffer.from('0000000766726565', 'hex')],
    ['a type that is no word', Buffer.from('0000000800000000', 'hex')],
    ['a 64-bit size smaller than its header', Buffer.from('00000001667265650000000000000008', 'hex')],
  ])('%s is no box', (_name, broken) => {
    expect(isWhole(Buffer.concat([film, broken]))).toBe(false);
  });

  test('thousands of empty boxes are no film, and are not read to their end', () => {
    expect(
      isWhole(Buffer.concat([...Array.from({ length: 20_000 }, () => box('free', Buffer.alloc(0))), film])),
    ).toBe(false);
    expect(
      isWhole(Buffer.concat([...Array.from({ length: 1_000 }, () => box('free', Buffer.alloc(0))), film])),
    ).toBe(true);
  });

  test('any bytes are judged without an end of time or memory', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        (bytes) => typeof isWhole(Buffer.from(bytes), 3) === 'boolean',
      ),
    );
  });
});

const nameless = { fileName: '', contentType: '' };

describe('the ends of a file', () => {
  const files: [type: string, content: Buffer][] = [
    ['image/png', png()],
    ['image/jpeg', jpeg()],
    ['application/pdf', pdf()],
    ['video/mp4', isoMedia()],
    ['video/webm', ebml('webm')],
    ['video/vnd.avi', avi()],
    ['video/x-ms-asf', asf()],
    ['video/mpeg', mpeg()],
  ];
  const check = (type: string, content: Buffer, size: number) => {
    const structure = new StructureCheck(classOf(type, nameless, 'VISUAL_PROOF'));
    for (let at = 0; at < content.length; at += size) structure.push(content.subarray(at, at + size));
    structure.requireWhole();
  };

  test.each(files)('%s is whole, in pieces of any size', (type, content) => {
    for (const size of [1, 11, 1_000, 100_000]) expect(() => check(type, content, size)).not.toThrow();
  });

  const cuttable = files.filter(([type]) => type !== 'video/mpeg');
  test.each(cuttable)('%s cut is not', (type, content) => {
    expect(() => check(type, content.subarray(0, -3), 1_000)).toThrow('not accepted');
  });

  test.each(cuttable.filter(([type]) => type !== 'image/jpeg'))('%s continued is not', (type, content) => {
    const continued = Buffer.concat([content, Buffer.from('PK and more')]);
    expect(() => check(type, continued, 1_000)).toThrow('not accepted');
  });

  test('any bytes are judged, by every structure', () => {
    fc.assert(
      fc.property(fc.constantFrom(...files.map(([type]) => type)), fc.uint8Array(), (type, bytes) => {
        try {
          check(type, Buffer.from(bytes), 7);
        } catch (error) {
          expect(error).toMatchObject({ code: 'file_type_not_allowed' });
        }
      }),
    );
  });

  test.each([
    ['zeros', Buffer.alloc(100)],
    ['a film', isoMedia()],
    ['a second picture', jpeg()],
    ['a picture without an end', jpeg().subarray(0, -2)],
  ])('phones append %s to a jpeg', (_what, appended) => {
    for (const size of [1, 64])
      expect(() => check('image/jpeg', Buffer.concat([jpeg(), appended]), size)).not.toThrow();
  });
});

describe('markers of a jpeg', () => {
  const ends = (content: Buffer, size: number) => {
    const walk = new JpegMarkerWalk();
    for (let at = 0; at < content.length; at += size) walk.push(content.subarray(at, at + size));
    return walk.isWhole();
  };

  test('no cut of a picture is whole, though its thumbnail is', () => {
    for (let length = 0; length < jpeg().length; length += 1) {
      const cut = jpeg().subarray(0, length);
      expect([length, ends(cut, 7), ends(cut, 1)]).toEqual([length, false, false]);
    }
  });

  test('a picture that is cut is not whole by another one behind it', () => {
    for (const missing of [8, 3, 2]) {
      const cut = jpeg().subarray(0, jpeg().length - missing);
      expect(ends(Buffer.concat([cut, jpeg()]), 7)).toBe(false);
    }
  });

  test('an end without picture data ends nothing', () => {
    expect(ends(Buffer.from('ffd8ffd9', 'hex'), 9)).toBe(false);
    expect(ends(Buffer.from('ffd8ffe00002ffd9', 'hex'), 9)).toBe(false);
  });
});

describe('the class of a file is that of its content', () => {
  test.each([
    ['image/jpeg', 'a.jpeg', 'image/jpeg', 'image/jpeg'],
    ['image/png', 'A.PNG', 'IMAGE/PNG', 'image/png'],
    ['video/quicktime', 'my.holiday.mov', 'video/quicktime', 'video/quicktime'],
    ['video/matroska', 'a.mkv', '', 'video/matroska'],
    ['video/x-ms-asf', 'a.wmv', 'application/octet-stream', 'video/x-ms-wmv'],
    ['image/png', '', '', 'image/png'],
    ['image/png', 'blob', 'application/octet-stream', 'image/png'],
    ['image/png', 'a.', 'text/plain', 'image/png'],
    ['image/png', 'Scan 22.11.2026', 'image/png', 'image/png'],
    ['video/mp4', 'upload.bin', 'application/octet-stream', 'video/mp4'],
    ['video/x-m4v', 'a.mp4', '', 'video/mp4'],
    ['image/jpeg', 'photo.jfif', 'image/jpeg', 'image/jpeg'],
    ['image/jpeg', 'photo.jpe', 'image/jpeg', 'image/jpeg'],
    ['image/jpeg', 'photo.jpg ', 'image/jpeg', 'image/jpeg'],
    ['image/jpeg', 'Dr. Meier', '', 'image/jpeg'],
    ['image/jpeg', 'scan of 3.5.2026 by J. Smith', '', 'image/jpeg'],
    ['image/png', '.png', 'image/png', 'image/png'],
    ['image/jpeg', 'photo', 'binary/octet-stream', 'image/jpeg'],
    ['image/jpeg', 'photo', 'application/x-binary', 'image/jpeg'],
    ['image/jpeg', 'image', 'image/*', 'image/jpeg'],
    ['video/mp4', 'film', 'video/*', 'video/mp4'],
  ])('%s, %j, %j', (detected, fileName, contentType, type) => {
    const found = classOf(detected, { fileName, contentType }, 'VISUAL_PROOF');
    expect(found.type).toBe(type);
    expect(found.extensions).toContain(extensionOf(type));
  });

  test.each([
    ['image/png', 'a.png', 'image/jpeg'],
    ['image/png', 'a.jpg', ''],
    ['image/png', 'a.png.exe', ''],
    ['image/png', 'a.png\0', ''],
    ['image/jpeg', 'photo.pdf.bin', ''],
    ['image/jpeg', 'photo.pdf.', ''],
    ['image/jpeg', 'photo.pdf .', ''],
    ['image/jpeg', 'photo.pdf.2026', ''],
    ['image/jpeg', 'photo.exe.tmp', ''],
    ['application/pdf', 'a.pdf', 'image/*'],
    ['video/mp4', 'a.mp4', 'image/*'],
    ['image/png', 'blob', 'text/html'],
    ['video/mp4', 'a.mov', ''],
    ['image/heic', 'a.heic', 'image/heic'],
    ['application/xml', 'a.svg', 'image/svg+xml'],
    ['video/mp2t', 'a.ts', 'video/mp2t'],
    ['application/x-msdownload', '', ''],
    [undefined, 'a.png', 'image/png'],
  ])('%s, %j, %j is refused without being quoted', (detected, fileName, contentType) => {
    expect(() => classOf(detected, { fileName, contentType }, 'VISUAL_PROOF')).toThrow(
      'This file is not accepted.',
    );
  });

  test('a selfie is no paper, and money is explained on paper', () => {
    expect(() => classOf('application/pdf', nameless, 'SELFIE')).toThrow();
    expect(() => classOf('video/mp4', nameless, 'SOURCE_OF_FUNDS_WEALTH')).toThrow();
    expect(classOf('video/mp4', nameless, 'SELFIE').maxBytes).toBe(50 * 1024 * 1024);
    expect(classOf('application/pdf', nameless, 'SOURCE_OF_FUNDS_WEALTH').maxBytes).toBe(5 * 1024 * 1024);
  });
});
