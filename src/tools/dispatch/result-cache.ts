import {deserialize, serialize} from 'node:v8';
import type {ToolReply} from '../toolset.ts';

/** Results that may be returned again until something changes. In memory, bounded; each hit returns a new copy. */
export interface ResultCache {
  /** Returns undefined if there is no result, or if something may be changing at this moment. */
  find(key: string): ToolReply | undefined;
  /**
   * Called before a result is made. The returned function stores the result, unless something has changed since,
   * or the result is too large or not plain data.
   */
  begin(key: string): (reply: ToolReply) => void;
  /** Runs a call that may change something: meanwhile nothing is found or stored, and stored results are dropped. */
  whileChanging<Result>(change: () => Promise<Result>): Promise<Result>;
  /** Drops everything: others may have changed something. */
  clear(): void;
}

export interface CacheBounds {
  readonly maxEntries: number;
  /** Most bytes of all stored results together. */
  readonly maxBytes: number;
}

const BOUNDS: CacheBounds = {maxEntries: 100, maxBytes: 4_000_000};

/** Creates a cache that drops the least recently used result first. */
export function createResultCache({maxEntries, maxBytes}: CacheBounds = BOUNDS): ResultCache {
  /** Results in the order of their last use. */
  const kept = new Map<string, Buffer>();
  let bytes = 0;
  let changing = 0;
  let generation = 0;

  const remove = (key: string): void => {
    bytes -= kept.get(key)?.length ?? 0;
    kept.delete(key);
  };

  const clear = (): void => {
    generation += 1;
    kept.clear();
    bytes = 0;
  };

  const put = (key: string, data: Buffer): void => {
    remove(key);
    kept.set(key, data);
    bytes += data.length;
    for (const oldest of kept.keys()) {
      if (kept.size <= maxEntries && bytes <= maxBytes) return;
      remove(oldest);
    }
  };

  return {
    find(key) {
      const data = changing === 0 ? kept.get(key) : undefined;
      if (data === undefined) return undefined;
      kept.delete(key);
      kept.set(key, data);
      return deserialize(data) as ToolReply;
    },
    begin(key) {
      const began = generation;
      const quiet = changing === 0;
      return (reply) => {
        const data = quiet && began === generation ? serialized(reply) : undefined;
        if (data !== undefined && data.length <= maxBytes) put(key, data);
      };
    },
    async whileChanging(change) {
      changing += 1;
      clear();
      try {
        return await change();
      } finally {
        changing -= 1;
        clear();
      }
    },
    clear,
  };
}

/** Returns undefined for a result that cannot be copied, such as one with functions in it. */
function serialized(reply: ToolReply): Buffer | undefined {
  try {
    return serialize(reply);
  } catch {
    return undefined;
  }
}
