/** Writes what goes on for a long time into the log once. */
export interface ChangeLog {
  /** Writes the line, unless it is the last one of the key. Undefined: what the last one said is over. */
  set(key: string, line: string | undefined): void;
}

export function createChangeLog(log: (line: string) => void): ChangeLog {
  const last = new Map<string, string>();
  return {
    set(key, line) {
      if (line !== undefined && last.get(key) !== line) log(line);
      if (line === undefined) last.delete(key);
      else last.set(key, line);
    },
  };
}
