import fc from 'fast-check';
import { IsoMediaBoxWalk } from '../../../domain/verifications/iso-media-boxes.ts';
import { declaredClass, extensionOf, requireDetected } from '../../../domain/verifications/evidence-class.ts';
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

  test('any bytes are judged without an end of time or memory', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        (bytes) => typeof isWhole(Buffer.from(bytes), 3) === 'boolean',
      ),
    );
  });
});

describe('the ends of a file', () => {
  const files: [fileName: string, content: Buffer][] = [
    ['a.png', png()],
    ['a.jpg', jpeg()],
    ['a.pdf', pdf()],
    ['a.mp4', isoMedia()],
    ['a.webm', ebml('webm')],
    ['a.avi', avi()],
    ['a.wmv', asf()],
    ['a.mpeg', mpeg()],
  ];
  const check = (fileName: string, content: Buffer, size: number) => {
    const structure = new StructureCheck(declaredClass({ fileName, contentType: '' }, 'VISUAL_PROOF'));
    for (let at = 0; at < content.length; at += size) structure.push(content.subarray(at, at + size));
    structure.requireWhole();
  };

  test.each(files)('%s is whole, in pieces of any size', (fileName, content) => {
    for (const size of [1, 11, 1_000, 100_000]) expect(() => check(fileName, content, size)).not.toThrow();
  });

  test.each(files.filter(([fileName]) => fileName !== 'a.mpeg'))(
    '%s cut or continued is not',
    (fileName, content) => {
      expect(() => check(fileName, content.subarray(0, -3), 1_000)).toThrow('not accepted');
      expect(() => check(fileName, Buffer.concat([content, Buffer.from('PK and more')]), 1_000)).toThrow(
        'not accepted',
      );
    },
  );

  test('any bytes are judged, by every structure', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...files.map(([fileName]) => fileName)),
        fc.uint8Array(),
        (fileName, bytes) => {
          try {
            check(fileName, Buffer.from(bytes), 7);
          } catch (error) {
            expect(error).toMatchObject({ code: 'file_type_not_allowed' });
          }
        },
      ),
    );
  });

  test('a jpeg may be filled up with zeros', () => {
    expect(() => check('a.jpg', Buffer.concat([jpeg(), Buffer.alloc(100)]), 64)).not.toThrow();
  });
});

describe('what name and declared type say', () => {
  test.each([
    ['a.jpeg', 'image/jpeg', 'image/jpeg'],
    ['A.PNG', 'IMAGE/PNG', 'image/png'],
    ['my.holiday.mov', 'video/quicktime', 'video/quicktime'],
    ['a.mkv', '', 'video/matroska'],
    ['a.wmv', 'application/octet-stream', 'video/x-ms-wmv'],
  ])('%s, %s', (fileName, contentType, type) => {
    const found = declaredClass({ fileName, contentType }, 'VISUAL_PROOF');
    expect(found.type).toBe(type);
    expect(found.extensions).toContain(extensionOf(type));
  });

  test.each([
    ['a.png', 'image/jpeg'],
    ['a.png.exe', ''],
    ['a.png\0', ''],
    ['a.png ', ''],
    ['png', 'image/png'],
    ['a.heic', 'image/heic'],
    ['a.svg', 'image/svg+xml'],
    ['a.ts', 'video/mp2t'],
    ['', ''],
  ])('%j, %j is refused without being quoted', (fileName, contentType) => {
    expect(() => declaredClass({ fileName, contentType }, 'VISUAL_PROOF')).toThrow(
      'This file is not accepted.',
    );
  });

  test('a selfie is no paper, and money is explained on paper', () => {
    const named = (fileName: string) => ({ fileName, contentType: '' });
    expect(() => declaredClass(named('a.pdf'), 'SELFIE')).toThrow();
    expect(() => declaredClass(named('a.mp4'), 'SOURCE_OF_FUNDS_WEALTH')).toThrow();
    expect(declaredClass(named('a.mp4'), 'SELFIE').maxBytes).toBe(50 * 1024 * 1024);
    expect(declaredClass(named('a.pdf'), 'SOURCE_OF_FUNDS_WEALTH').maxBytes).toBe(5 * 1024 * 1024);
  });

  test('what the content is found to be must be the same', () => {
    const expected = declaredClass({ fileName: 'a.m4v', contentType: '' }, 'VISUAL_PROOF');
    for (const found of ['video/mp4', 'video/x-m4v'])
      expect(() => requireDetected(expected, found)).not.toThrow();
    for (const found of ['video/quicktime', 'image/png', undefined])
      expect(() => requireDetected(expected, found)).toThrow();
  });
});
