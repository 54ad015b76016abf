/** Asks at most once in `ms`: whoever asks meanwhile gets the same promise. An error is remembered like an answer. */
export function rememberAnswer<T>(
  ms: number,
  ask: () => Promise<T>,
  now: () => number = () => Date.now(),
): () => Promise<T> {
  let remembered: { answer: Promise<T>; until: number } | undefined;
  return async () => {
    if (!remembered || remembered.until <= now()) {
      const latest = { answer: ask(), until: Infinity };
      remembered = latest;
      const settle = () => void (latest.until = now() + ms);
      latest.answer.then(settle, settle);
    }
    return await remembered.answer;
  };
}
