import { barePicture } from '../../../domain/tenants/bare-picture.ts';
import { jpeg, png } from '../../factories/evidence.ts';

const PNG = png();
const IEND_BYTES = 12;

/** A JPEG as a camera writes it: place, comment and colour profile behind the first marker. */
function jpegWith(...segments: [code: number, content: string][]): Buffer {
  const made = segments.map(([code, content]) => {
    const head = Buffer.from([0xff, code, 0, 0]);
    head.writeUInt16BE(content.length + 2, 2);
    return Buffer.concat([head, Buffer.from(content, 'latin1')]);
  });
  return Buffer.concat([jpeg().subarray(0, 2), ...made, jpeg().subarray(2)]);
}

describe('a PNG', () => {
  test('loses its texts and keeps its pixels', () => {
    const bare = barePicture('image/png', png({ text: '<script>alert(1)</script>' }));
    expect(bare?.includes('script')).toBe(false);
    expect(bare?.includes('IDAT')).toBe(true);
    expect(bare).toEqual(barePicture('image/png', png({ text: 'another' })));
    expect(barePicture('image/png', bare ?? PNG)).toEqual(bare);
  });

  test.each([
    ['with a ZIP behind it', Buffer.concat([PNG, Buffer.from('PK\u0003\u0004')])],
    ['with one byte behind it', Buffer.concat([PNG, Buffer.alloc(1)])],
    ['without its end', PNG.subarray(0, -IEND_BYTES)],
    ['cut in a chunk', PNG.subarray(0, 40)],
    ['of its signature alone', PNG.subarray(0, 8)],
    [
      'with a chunk that is longer than the file',
      Buffer.concat([PNG.subarray(0, 8), Buffer.alloc(40, 0x7f)]),
    ],
  ])('%s is refused', (_name, bytes) => {
    expect(barePicture('image/png', bytes)).toBeUndefined();
  });
});

describe('a JPEG', () => {
  test('loses place, comment and profiles and keeps its picture', () => {
    const bare = barePicture(
      'image/jpeg',
      jpegWith(
        [0xe1, 'Exif\0\0GPS 47.37'],
        [0xfe, '<html>'],
        [0xe2, 'ICC_PROFILE'],
        [0xe0, 'JFXX thumbnail'],
        [0xe0, 'JFXX and a longer one'],
      ),
    );
    for (const text of ['GPS', 'html', 'ICC', 'JFXX']) expect(bare?.includes(text)).toBe(false);
    expect(bare).toEqual(barePicture('image/jpeg', jpeg()));
    // The thumbnail of the factory's JPEG stands in a segment of a program.
    expect(bare).toHaveLength(jpeg().length - 12);
    expect(barePicture('image/jpeg', bare ?? jpeg())).toEqual(bare);
  });

  test('keeps how Adobe has stored the colours', () => {
    const bare = barePicture('image/jpeg', jpegWith([0xee, 'Adobe\0d\0\0\0\0\u0002']));
    expect(bare?.includes('Adobe')).toBe(true);
  });

  test('may be filled up with zeros, which go', () => {
    const bare = barePicture('image/jpeg', Buffer.concat([jpeg(), Buffer.alloc(512)]));
    expect(bare).toEqual(barePicture('image/jpeg', jpeg()));
  });

  test.each([
    ['with a ZIP behind it', Buffer.concat([jpeg(), Buffer.from('PK\u0003\u0004')])],
    ['with a second picture behind it', Buffer.concat([jpeg(), jpeg()])],
    ['without its end', jpeg().subarray(0, -2)],
    ['cut in a segment', jpeg().subarray(0, 30)],
    ['of its first marker alone', jpeg().subarray(0, 2)],
    [
      'with text between its segments',
      Buffer.concat([jpeg().subarray(0, 20), Buffer.from('text'), jpeg().subarray(20)]),
    ],
  ])('%s is refused', (_name, bytes) => {
    expect(barePicture('image/jpeg', bytes)).toBeUndefined();
  });
});

test('whatever bytes follow the beginning, reading ends and never throws', () => {
  for (let round = 0; round < 500; round += 1) {
    const noise = Buffer.from(Array.from({ length: round }, (_, at) => (at * 7919 * (round + 1)) % 256));
    for (const start of [PNG.subarray(0, 8), jpeg().subarray(0, 2)]) {
      const type = start[0] === 0xff ? 'image/jpeg' : 'image/png';
      expect(() => barePicture(type, Buffer.concat([start, noise]))).not.toThrow();
    }
  }
});
