/** Runs work when its turn has come; `owner` is the tenant, address or list that it is done for. */
export type InTurn = <T>(owner: string, work: () => Promise<T>) => Promise<T>;

interface FairTurnsOptions {
  /** Maximum number of works that run at once. */
  atOnce: number;
  /** How many may wait, how long, and the error for work that is not run. Any number for ever unless given. */
  places?: { maxWaiting: number; maxWaitMs?: number; refusal: () => Error };
}

interface Turn {
  begin: () => void;
  refuse: (reason: Error) => void;
}

/** A turn that is given up after a time, unless it has come or was refused by then. */
function endingTurn({ begin, refuse }: Turn, maxWaitMs: number | undefined, giveUp: () => void): Turn {
  const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs);
  return {
    begin() {
      clearTimeout(timer);
      begin();
    },
    refuse(reason) {
      clearTimeout(timer);
      refuse(reason);
    },
  };
}

/**
 * Runs the work of each owner in turn, so that nobody's many requests keep those of others waiting. Where all places are
 * taken, the owner with the most of them gives up its last one for somebody who has less.
 */
export function fairTurns({ atOnce, places }: FairTurnsOptions): InTurn {
  // In the order of their turns: whoever had one stands last.
  const waitingOf = new Map<string, Turn[]>();
  let waiting = 0;
  let running = 0;

  function makeRoom(owner: string, refusal: () => Error): void {
    const [longest = []] = [...waitingOf.values()].toSorted((one, other) => other.length - one.length);
    const own = waitingOf.get(owner)?.length ?? 0;
    // Nobody takes a place from an owner that would then have less than it.
    if (own + 1 >= longest.length) throw refusal();
    longest.pop()?.refuse(refusal());
    waiting -= 1;
  }

  async function wait(owner: string): Promise<void> {
    if (places && waiting >= places.maxWaiting) makeRoom(owner, places.refusal);
    await new Promise<void>((begin, refuse) => {
      const turns = waitingOf.get(owner) ?? [];
      const turn = endingTurn({ begin, refuse }, places?.maxWaitMs, giveUp);
      turns.push(turn);
      waitingOf.set(owner, turns);
      waiting += 1;

      function giveUp(): void {
        turns.splice(turns.indexOf(turn), 1);
        if (turns.length === 0) waitingOf.delete(owner);
        waiting -= 1;
        if (places) turn.refuse(places.refusal());
      }
    });
  }

  /** Gives the place of work that has ended to whose turn it is. */
  function passOn(): void {
    const [next] = waitingOf;
    if (!next) {
      running -= 1;
      return;
    }
    const [owner, turns] = next;
    const turn = turns.shift();
    waitingOf.delete(owner);
    if (turns.length > 0) waitingOf.set(owner, turns);
    waiting -= 1;
    turn?.begin();
  }

  return async (owner, work) => {
    if (running >= atOnce) await wait(owner);
    else running += 1;
    try {
      return await work();
    } finally {
      passOn();
    }
  };
}

/** Runs the work of each owner apart from that of others: as much at once of each, and as much that waits. */
export function turnsOfEach(options: FairTurnsOptions): InTurn {
  const turnsOf = new Map<string, { inTurn: InTurn; works: number }>();
  return async (owner, work) => {
    const turns = turnsOf.get(owner) ?? { inTurn: fairTurns(options), works: 0 };
    turnsOf.set(owner, turns);
    turns.works += 1;
    try {
      return await turns.inTurn(owner, work);
    } finally {
      turns.works -= 1;
      if (turns.works === 0) turnsOf.delete(owner);
    }
  };
}
