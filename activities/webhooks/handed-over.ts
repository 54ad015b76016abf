/** Requests that run on after the workflow which made them has stopped waiting. */
export interface HandedOverRequests {
  /** `request` must not reject. */
  add: (request: Promise<void>) => void;
  /** Resolves when none is under way any more. */
  ended: () => Promise<void>;
}

/** Knows the handed-over requests of one worker process, so that it can wait for them before it stops. */
export function createHandedOverRequests(): HandedOverRequests {
  const underWay = new Set<Promise<void>>();
  return {
    add(request) {
      underWay.add(request);
      void request.finally(() => underWay.delete(request));
    },
    async ended() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
