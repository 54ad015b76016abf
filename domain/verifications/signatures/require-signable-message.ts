import { utf8ToBytes } from '@noble/hashes/utils.js';
import { DomainError, invalidField } from '../../errors.ts';

const MAX_MESSAGE_BYTES = 10 * 1024;
/** In Unicode mode a surrogate pair is one character, so this only matches lone surrogates. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Throws `message_empty`, or validation_failed at `/message` for text that has no UTF-8 form or is over 10 kB. Lone
 * surrogates would be hashed as U+FFFD, so one signature would fit two different texts.
 */
export function requireSignableMessage(message: string): void {
  if (message === '') {
    throw new DomainError('message_empty', 'The message is empty. Send the text that the wallet signed.');
  }
  if (LONE_SURROGATE.test(message)) {
    throw invalidField(
      '/message',
      'malformed_unicode',
      'The message has half of a surrogate pair and is no text.',
    );
  }
  // The first comparison avoids encoding a text that is too long in any case.
  if (message.length > MAX_MESSAGE_BYTES || utf8ToBytes(message).length > MAX_MESSAGE_BYTES) {
    throw invalidField(
      '/message',
      'too_long',
      'The message has more than 10 kB (10,240 bytes). Have a shorter text signed.',
    );
  }
}
