import type { FieldError } from '../errors.ts';

export const DEPTH_LIMIT = 32;
const ERRORS_LIMIT = 100;

/**
 * Finds faults that schemas do not check, anywhere in a parsed value: nesting beyond 32 levels, `__proto__`, numbers that
 * overflow, empty strings, and NUL and lone surrogates, which cannot be stored. Reports at most 100.
 */
export function unusableValues(value: unknown): FieldError[] {
  const errors: FieldError[] = [];
  visit(value, [], errors);
  return errors;
}

function visit(value: unknown, path: (string | number)[], errors: FieldError[]): void {
  if (errors.length >= ERRORS_LIMIT) return;
  if (typeof value === 'object' && value !== null) {
    if (path.length >= DEPTH_LIMIT)
      errors.push(fault(path, 'too_deep', `Nesting ends at ${DEPTH_LIMIT} levels.`));
    else visitMembers(value, path, errors);
  } else if (typeof value === 'string') {
    if (value === '') errors.push(fault(path, 'empty_string', 'Leave the field out, or give it a value.'));
    else if (!isUsable(value))
      errors.push(fault(path, 'invalid_characters', 'NUL and lone surrogates are refused.'));
  } else if (typeof value === 'number' && !Number.isFinite(value)) {
    errors.push(fault(path, 'invalid_number', 'The number is out of range.'));
  }
}

function visitMembers(parent: object, path: (string | number)[], errors: FieldError[]): void {
  const isArray = Array.isArray(parent);
  for (const [key, child] of Object.entries(parent)) {
    path.push(isArray ? Number(key) : key);
    if (!isArray && (key === '__proto__' || !isUsable(key))) {
      errors.push(fault(path, 'unknown_field', 'There is no such field.'));
    } else {
      visit(child, path, errors);
    }
    path.pop();
  }
}

function fault(path: readonly PropertyKey[], code: string, message: string): FieldError {
  return { pointer: toPointer(path), code, message };
}

function isUsable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Writes a path as a JSON Pointer (RFC 6901). */
export function toPointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
