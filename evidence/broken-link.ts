/** The first thing in an archive that does not fit the rest. */
export class BrokenLink extends Error {
  override readonly name = 'BrokenLink';
  readonly fault: string;
  /** The file in the archive; null for the archive itself. */
  readonly path: string | null;
  /** Counted from 1; null where the file as a whole is meant. */
  readonly line: number | null;

  constructor(fault: string, path: string | null, line: number | null = null, options?: ErrorOptions) {
    super(fault, options);
    this.fault = fault;
    this.path = path;
    this.line = line;
  }
}

/** Runs a step that reads a file. What it throws, such as the error of a parser, becomes a broken link of that file. */
export async function reading<T>(path: string | null, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (cause) {
    if (cause instanceof BrokenLink) throw cause;
    throw new BrokenLink('cannot be read', path, null, { cause });
  }
}

/** Like `reading`, for one line. */
export function readingLine<T>(path: string, line: number, step: () => T): T {
  try {
    return step();
  } catch (cause) {
    if (cause instanceof BrokenLink) throw cause;
    throw new BrokenLink('is not a line of this format', path, line, { cause });
  }
}
