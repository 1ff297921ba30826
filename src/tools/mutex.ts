/** Runs tasks one at a time, in the order in which they were submitted. */
export type OneAtATime = <T>(body: () => Promise<T>) => Promise<T>;

export function createOneAtATime(): OneAtATime {
  let last: Promise<unknown> = Promise.resolve();
  return (body) => {
    const turn = last.then(body);
    last = turn.catch(() => undefined);
    return turn;
  };
}
