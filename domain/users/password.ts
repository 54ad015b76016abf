import { z } from 'zod';

const MIN_LENGTH = 12;
const MAX_LENGTH = 128;

/** A password as it is given at sign-in. Its strength is checked where it is set. */
export const GivenPassword = z.string().min(1).max(MAX_LENGTH);
/** A password that is set; see `requireStrongPassword`. */
export const NewPassword = z
  .string()
  .min(MIN_LENGTH)
  .max(MAX_LENGTH)
  .describe(`${MIN_LENGTH} to ${MAX_LENGTH} characters that are not easily guessed.`);
