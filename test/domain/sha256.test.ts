import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { sha256 } from '../../domain/sha256.ts';

const ofNode = (content: string | Uint8Array) => createHash('sha256').update(content).digest();

test('hashes that were stored by any other implementation stay true', () => {
  const text = fc.string({
    unit: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\0', '\ud800', 'é')),
  });
  fc.assert(fc.property(text, (content) => sha256(content).equals(ofNode(content))));
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => sha256(bytes).equals(ofNode(bytes))));
});
