/** How long something took, and how much of that its thread had the processor; milliseconds. */
export interface Clocks {
  passed(): number;
  worked(): number;
}

/**
 * Whether work that begins now has taken longer than it may, in milliseconds: on a machine with much else to do it may wait as long as it has to.
 * To be asked often: it looks at the dearer clock only when the other one says so.
 */
export function timeLimit(most: number, {passed, worked}: Clocks = CLOCKS): () => boolean {
  const [from, done] = [passed(), worked()];
  return () => passed() - from > most && worked() - done > most;
}

const CLOCKS: Clocks = {
  passed: () => performance.now(),
  worked: () => {
    const {user, system} = process.threadCpuUsage();
    return (user + system) / 1000;
  },
};
