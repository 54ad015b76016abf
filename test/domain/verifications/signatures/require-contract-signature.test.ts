import { DomainError } from '../../../../domain/errors.ts';
import { requireContractSignature } from '../../../../domain/verifications/signatures/require-contract-signature.ts';

function codeOf(message: string, signature: string): string {
  try {
    requireContractSignature(message, signature);
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
  return 'accepted';
}

test('hex of any whole number of bytes passes, up to 16 kB', () => {
  for (const bytes of [1, 64, 65, 66, 565, 16_384]) {
    const signature = `0x${'aB'.repeat(bytes)}`;
    expect(requireContractSignature('text', signature)).toBe(signature);
  }
  expect(codeOf('text', `0x${'ab'.repeat(16_385)}`)).toBe('signature_malformed');
});

test.each(['', '0x', '0xabc', 'abcd', '0Xabcd', '0xzz', ' 0xab', '0xab\n'])(
  '%p is malformed',
  (signature) => {
    expect(codeOf('text', signature)).toBe('signature_malformed');
  },
);

test('the message is judged as for every other signature', () => {
  expect(codeOf('', '0xab')).toBe('message_empty');
  expect(codeOf('\ud800', '0xab')).toBe('validation_failed');
  expect(codeOf('a'.repeat(10_241), '0xab')).toBe('validation_failed');
});
