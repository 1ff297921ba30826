/** Prefixes of each line of nested lists and quotes. */
export interface LinePrefixes {
  /** Starts the next line with `first` and each further one with `prefix`, which has the same length. */
  push(prefix: string, first?: string): void;
  pop(): void;
  /** True if the next line has a bullet, and no text after it yet. */
  hasBullet(): boolean;
  whole(): string;
  /** Returns the prefix of the next line. */
  take(): string;
}

/** Deeper lists and quotes are not indented further: a prefix costs characters in each line. */
const MAX_PREFIXES = 12;

export function createLinePrefixes(): LinePrefixes {
  const prefixes: string[] = [];
  let [bullet, line] = ['', ''];
  const rejoin = (): string => (line = prefixes.slice(0, MAX_PREFIXES).join(''));
  return {
    push(prefix, first = '') {
      prefixes.push(prefix);
      rejoin();
      if (prefixes.length <= MAX_PREFIXES) bullet = first;
    },
    pop() {
      prefixes.pop();
      rejoin();
      bullet = '';
    },
    hasBullet: () => bullet !== '',
    whole: () => line,
    take() {
      const start = line.slice(0, Math.max(0, line.length - bullet.length)) + bullet;
      bullet = '';
      return start;
    },
  };
}
