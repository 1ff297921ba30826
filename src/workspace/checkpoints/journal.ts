import {constants} from 'node:fs';
import {join} from 'node:path';
import {FettleError} from '../../base/errors.ts';
import {hashOf} from './store/blob-store.ts';
import type {BytePath} from './byte-path.ts';
import type {Checkpoint, JournalLine} from './checkpoint.ts';
import type {EntryState} from './entry-state.ts';
import {writeAll, type StoreFs} from './store/store-fs.ts';
import {readStored} from './store/stored-file.ts';

/** The record of one checkpoint while it is being written: `<id>.open`; closed it is `<id>.jsonl`. */
export interface Journal {
  readonly id: string;
  /** True if the first state of a path is known already. */
  knows(path: BytePath): boolean;
  /** Resolves when the lines are on the disk: only then may the paths be changed. */
  before(states: ReadonlyMap<BytePath, EntryState>, seenAt?: string): Promise<void>;
  /** Records that nothing existed at the path, as found out afterwards. */
  created(path: BytePath): void;
  touch(path: BytePath): void;
  after(states: ReadonlyMap<BytePath, EntryState>): void;
  add(...lines: readonly JournalLine[]): void;
  sync(): Promise<void>;
  /** Removes an empty record. */
  discard(): void;
  /** Leaves the record incomplete: recovery finishes it, as for a writer that was killed. */
  leave(): void;
  close(): void;
}

export type JournalHeader = Pick<Checkpoint, 'id' | 'session' | 'kind' | 'target' | 'scope' | 'title' | 'startedAt'>;

interface JournalOptions {
  readonly turns: string;
  readonly header: JournalHeader;
  readonly fs: StoreFs;
  readonly known?: Iterable<BytePath> | undefined;
}

export const OPEN = '.open';
export const CLOSED = '.jsonl';
/** The state of the tree before a running command; stored beside the journal. */
export const TREE = '.tree';

/** Opens a journal. `known`: the paths in an earlier part of the same record; absent: the record is new. */
export function openJournal({turns, header, fs, known}: JournalOptions): Journal {
  const path = join(turns, header.id);
  const fd = fs.openSync(`${path}${OPEN}`, APPEND, 0o600);
  let isOpen = true;
  const seen = new Set<BytePath>(known);

  const add: Journal['add'] = (...lines) => {
    // A line cut off by a full disk is ended first, so that later lines stay readable.
    writeAll(fs, fd, Buffer.from(lines.map((line) => `\n${JSON.stringify(line)}\n`).join('')));
  };
  const closeOnce = (): void => {
    if (isOpen) fs.closeSync(fd);
    isOpen = false;
  };
  const journal: Journal = {
    id: header.id,
    knows: (at) => seen.has(at),
    async before(states, at) {
      if (states.size === 0) return;
      add(...[...states].map(([p, s]): JournalLine => ({t: 'before', p, s, ...(at === undefined ? {} : {at})})));
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
      closeOnce();
      fs.unlinkSync(`${path}${OPEN}`);
    },
    leave: closeOnce,
    close() {
      try {
        add({t: 'end', sum: hashOf(writtenIn(`${path}${OPEN}`))});
        // Without it a loss of power could leave a closed record that lacks its end.
        fs.fdatasyncSync(fd);
      } finally {
        closeOnce();
      }
      fs.renameSync(`${path}${OPEN}`, `${path}${CLOSED}`);
    },
  };
  try {
    if (known === undefined) add({t: 'begin', v: 1, ...header});
  } catch (error) {
    fs.closeSync(fd); // the remainder is not a record: the next clean-up removes it
    throw error;
  }
  return journal;
}

/** O_NOFOLLOW: never writes through a link that has replaced a record. */
const APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;

function writtenIn(file: string): Buffer {
  const bytes = readStored(file);
  if (bytes !== undefined) return bytes;
  throw new FettleError({code: 'IO', message: `The record ${file} is gone.`, hint: 'Something removed it while it was written.'});
}
