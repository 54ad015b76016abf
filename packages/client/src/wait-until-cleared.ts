import type { CallOptions, Schemas } from './operations.ts';
import { isTemporary, WaybillError } from './problems.ts';
import { pause, startTimeLimit } from './time.ts';

type Transaction = Schemas['Transaction'];

export interface WaitOptions extends Pick<CallOptions, 'signal'> {
  /** The longest wait, in milliseconds, at most 24 days. */
  timeoutMs: number;
  /**
   * Called when the transaction waits for somebody on this side, and again when it waits for something else: a review, a
   * proof, a wallet, a VASP; `clearance.nextAction` says which. What it throws ends the wait.
   */
  onWait?: (transaction: Transaction) => void | Promise<void>;
  /** The time between two reads, in milliseconds: it grows from the first to the longest. Default: 500 and 30,000. */
  pollMs?: { first: number; longest: number };
}

/** A transaction was neither cleared nor stopped in time. `cause` is the trouble of the last read, if it had any. */
export class NotClearedInTime extends WaybillError {
  /** As it was read last; undefined if it could never be read. */
  readonly transaction: Transaction | undefined;

  constructor(id: string, { transaction, trouble }: WaitProgress) {
    const { outcome, nextAction } = transaction?.clearance ?? {};
    const state = transaction ? `${transaction.status}, ${outcome}, next action ${nextAction}` : 'never read';
    super(`Transaction ${id} is not cleared in time: ${state}.`, trouble && { cause: trouble });
    this.transaction = transaction;
  }
}

interface WaitProgress {
  transaction: Transaction | undefined;
  /** Why the last read failed. */
  trouble: WaybillError | undefined;
}

type ReadTransaction = (options: CallOptions) => Promise<Transaction>;

const POLL_MS = { first: 500, longest: 30_000 };
const GROWTH = 1.5;

/** The waits that go on, by the id of their transaction. */
export class ClearanceWaits {
  readonly #byId = new Map<string, Set<ClearanceWait>>();

  /** Makes every wait for the transaction read it at once. */
  nudge(id: string): void {
    for (const wait of this.#byId.get(id) ?? []) wait.nudge();
  }

  /** Waits for GO or STOP. Throws NotClearedInTime, NotFound once it is deleted, and the reason of the signal. */
  async until(id: string, read: ReadTransaction, options: WaitOptions): Promise<Transaction> {
    const wait = new ClearanceWait(read, options);
    const waits = this.#byId.get(id) ?? new Set();
    this.#byId.set(id, waits.add(wait));
    const limit = startTimeLimit(options.timeoutMs, options.signal);
    try {
      return await wait.run(limit.signal);
    } catch (error) {
      const isLate = error === limit.signal.reason && options.signal?.aborted !== true;
      throw isLate ? new NotClearedInTime(id, wait.progress) : error;
    } finally {
      limit.clear();
      waits.delete(wait);
      if (waits.size === 0) this.#byId.delete(id);
    }
  }
}

class ClearanceWait {
  readonly progress: WaitProgress = { transaction: undefined, trouble: undefined };
  readonly #read: ReadTransaction;
  readonly #options: WaitOptions;
  #isNudged = false;
  #endPause: (() => void) | undefined;

  constructor(read: ReadTransaction, options: WaitOptions) {
    this.#read = read;
    this.#options = options;
  }

  nudge(): void {
    this.#isNudged = true;
    this.#endPause?.();
  }

  async run(signal: AbortSignal): Promise<Transaction> {
    const { first, longest } = this.#options.pollMs ?? POLL_MS;
    for (let intervalMs = first; ; intervalMs = Math.min(longest, intervalMs * GROWTH)) {
      const before = this.progress.transaction;
      // What happens during the read may not be in its answer.
      this.#isNudged = false;
      await this.#readOnce(signal);
      const { transaction } = this.progress;
      if (transaction && transaction.clearance.outcome !== 'WAIT') return transaction;
      if (transaction && waitOf(transaction) !== waitOf(before)) await this.#tell(transaction);
      if (transaction?.version !== before?.version) intervalMs = first;
      if (!this.#isNudged) await pause(jittered(intervalMs), signal, (end) => (this.#endPause = end));
    }
  }

  /** Trouble that passes is noted, and the next read tries again. */
  async #readOnce(signal: AbortSignal): Promise<void> {
    try {
      this.progress.transaction = await this.#read({ signal });
      this.progress.trouble = undefined;
    } catch (error) {
      if (!isTemporary(error)) throw error;
      this.progress.trouble = error;
    }
  }

  async #tell(transaction: Transaction): Promise<void> {
    if (!OTHERS_ACT.includes(transaction.clearance.nextAction)) await this.#options.onWait?.(transaction);
  }
}

/** Next actions that nobody on this side takes: the other VASP answers, or the service continues by itself. */
const OTHERS_ACT: readonly string[] = ['NONE', 'WAIT_FOR_COUNTERPARTY'];

/** What a transaction waits for, and why. */
function waitOf(transaction: Transaction | undefined): string | undefined {
  return transaction && [transaction.clearance.nextAction, ...transaction.clearance.reasons].join(' ');
}

/** Between three quarters and the whole. */
function jittered(ms: number): number {
  return ms * (0.75 + Math.random() / 4);
}
