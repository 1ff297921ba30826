import {join} from 'node:path';
import type {BytePath} from './byte-path.ts';
import type {Checkpoint, JournalLine} from './checkpoint.ts';
import type {EntryState} from './entry-state.ts';
import {writeAll, type StoreFs} from './store-fs.ts';

/** The record of one checkpoint while it is being written: `<id>.open`; closed it is `<id>.jsonl`. */
export interface Journal {
  readonly id: string;
  /** Whether the first state of a path is known already. */
  knows(path: BytePath): boolean;
  /** Resolves when the lines are on the disk: only then may the paths be changed. */
  before(states: ReadonlyMap<BytePath, EntryState>): Promise<void>;
  /** Nothing stood there, as is known afterwards. */
  created(path: BytePath): void;
  touch(path: BytePath): void;
  after(states: ReadonlyMap<BytePath, EntryState>): void;
  add(...lines: readonly JournalLine[]): void;
  sync(): Promise<void>;
  /** Takes away a record of nothing. */
  discard(): void;
  /** Not whole: the next look through the store finishes it, as for a writer that was killed. */
  leave(): void;
  close(): void;
}

export type JournalHeader = Pick<Checkpoint, 'id' | 'session' | 'kind' | 'target' | 'scope' | 'title' | 'startedAt'>;

export const OPEN = '.open';
export const CLOSED = '.jsonl';
/** The state of the tree before a command that runs: beside the journal. */
export const TREE = '.tree';

/** `known`: the paths that an earlier part of the same record speaks of; without it the record is new. */
export function openJournal({
  turns,
  header,
  fs,
  known,
}: {
  readonly turns: string;
  readonly header: JournalHeader;
  readonly fs: StoreFs;
  readonly known?: Iterable<BytePath> | undefined;
}): Journal {
  const path = join(turns, header.id);
  const fd = fs.openSync(`${path}${OPEN}`, 'a', 0o600);
  const seen = new Set<BytePath>(known);

  const add: Journal['add'] = (...lines) => {
    // A line that a full disk cut off is ended first: what comes after it stays readable.
    writeAll(fs, fd, Buffer.from(lines.map((line) => `\n${JSON.stringify(line)}\n`).join('')));
  };
  const journal: Journal = {
    id: header.id,
    knows: (at) => seen.has(at),
    async before(states) {
      if (states.size === 0) return;
      add(...[...states].map(([p, s]): JournalLine => ({t: 'before', p, s})));
      await fs.fdatasync(fd);
      for (const at of states.keys()) seen.add(at);
    },
    created(p) {
      add({t: 'before', p, s: null});
      seen.add(p);
    },
    touch: (p) => add({t: 'touch', p}),
    after(states) {
      if (states.size > 0) add(...[...states].map(([p, s]): JournalLine => ({t: 'after', p, s})));
    },
    add,
    sync: () => fs.fdatasync(fd),
    discard() {
      fs.closeSync(fd);
      fs.unlinkSync(`${path}${OPEN}`);
    },
    leave: () => fs.closeSync(fd),
    close() {
      try {
        add({t: 'end'});
      } finally {
        fs.closeSync(fd);
      }
      fs.renameSync(`${path}${OPEN}`, `${path}${CLOSED}`);
    },
  };
  try {
    if (known === undefined) add({t: 'begin', v: 1, ...header});
  } catch (error) {
    fs.closeSync(fd); // what is left of it is no record: the next cleaning takes it away
    throw error;
  }
  return journal;
}
