import {afterAll} from 'vitest';
import type {createIndexChild, IndexChild} from '../../src/code/index/index-child.ts';

type Create = typeof createIndexChild;

/**
 * `createIndexChild` for a file of tests whose indexes are open one after the other: one real process for all of them, which is told of the next
 * place instead of being started for it. Who opens a second index meanwhile gets a process of its own.
 */
export function sharedChild(create: Create): Create {
  let [shared, isTaken]: [IndexChild | undefined, boolean] = [undefined, false];
  afterAll(async () => await shared?.close());
  return (opening) => {
    if (isTaken) return create(opening);
    isTaken = true;
    if (shared === undefined) shared = create(opening);
    // It sends what it is told as it is; the process knows more questions than its owners ask once.
    else shared.tell({is: 'open', ...opening} as unknown as Parameters<IndexChild['tell']>[0]);
    const {ask, tell} = shared;
    return {
      ask,
      tell,
      async close() {
        // When it has answered, it is not at work in folders that go now.
        await ask({is: 'fresh'}, new AbortController().signal).catch(() => undefined);
        isTaken = false;
      },
    };
  };
}
