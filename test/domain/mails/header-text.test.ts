import { headerText } from '../../../domain/mails/header-text.ts';

test.each([
  ['Alpine Exchange', 'Alpine Exchange'],
  ['A\r\nBcc: victim@elsewhere.example', 'A Bcc: victim@elsewhere.example'],
  ['A\n\n\tB', 'A B'],
  ['A\u2028B\u2029C\u0085D', 'A B C D'],
  ['\u202eevil\u200b name\u0000', 'evil name'],
  ['x'.repeat(300), 'x'.repeat(200)],
])('%j becomes one line', (given, text) => {
  expect(headerText(given)).toBe(text);
});
