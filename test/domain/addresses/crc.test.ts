import { crc32 as zlibCrc32 } from 'node:zlib';
import fc from 'fast-check';
import { crc32 } from '../../../domain/addresses/crc.ts';

test('CRC-32 is the one of zlib', () => {
  expect(crc32(Buffer.from('123456789'))).toBe(0xcbf43926);
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => crc32(bytes) === zlibCrc32(bytes)));
});
