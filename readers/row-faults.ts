import { MAX_ROW_FAULTS, type RowFault } from '../domain/row-fault.ts';

/** The faults of one file as they are found. */
export class RowFaults {
  readonly #faults: RowFault[] = [];

  get isEmpty(): boolean {
    return this.#faults.length === 0;
  }

  /** Whether there are as many as are reported: reading on would add nothing. */
  get isFull(): boolean {
    return this.#faults.length >= MAX_ROW_FAULTS;
  }

  add(faults: readonly RowFault[]): void {
    this.#faults.push(...faults);
  }

  /** Adds faults that count more than those of single rows: they are reported first. */
  addFirst(...faults: RowFault[]): void {
    this.#faults.unshift(...faults);
  }

  /** The first 1,000. */
  reported(): RowFault[] {
    return this.#faults.slice(0, MAX_ROW_FAULTS);
  }
}
