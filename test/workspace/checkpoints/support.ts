import {lstatSync, readdirSync, readFileSync, readlinkSync} from 'node:fs';
import {bytePath, pathText} from '../../../src/workspace/checkpoints/byte-path.ts';
import type {Checkpoint} from '../../../src/workspace/checkpoints/checkpoint.ts';
import type {CheckpointerOptions} from '../../../src/workspace/checkpoints/checkpointer-options.ts';
import {createCheckpointer} from '../../../src/workspace/checkpoints/checkpointer.ts';
import {readCheckpoints} from '../../../src/workspace/checkpoints/read-checkpoints.ts';
import type {CheckpointSummary} from '../../../src/workspace/checkpoints/record-turn.ts';
import type {RestoreOptions} from '../../../src/workspace/checkpoints/restore/restore-options.ts';
import {restoreCheckpoint} from '../../../src/workspace/checkpoints/restore/restore.ts';
import {storePlace, type StorePlace} from '../../../src/workspace/checkpoints/store/store-place.ts';
import {scratch} from '../../support/scratch.ts';

export const never = new AbortController().signal;

export const LIMITS = {maxBytes: 50_000_000, maxFileBytes: 1_000_000, maxEntries: 10_000, maxReadMs: 20_000};

export interface Kept {
  readonly root: string;
  readonly state: string;
  readonly place: StorePlace;
  /** A turn in which `act` happens, kept as a command ('tree') or as file tools that name their paths. */
  turn(paths: readonly string[] | 'tree', act: () => void): Promise<CheckpointSummary | undefined>;
  list(): Checkpoint[];
  restore(id: string | undefined, options?: Partial<Omit<RestoreOptions, 'target'>>): Promise<RestoreResult>;
}

interface RestoreResult {
  readonly id: string | undefined;
  readonly restored: readonly string[];
  readonly refused: readonly string[];
  readonly notes: readonly string[];
  readonly seen: readonly string[];
}

/** A workspace with these files, and a state folder elsewhere. */
export async function kept(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  options: Partial<CheckpointerOptions> = {},
): Promise<Kept> {
  const root = await scratch(files);
  const state = await scratch();
  return keptIn({root, state}, options);
}

export function keptIn({root, state}: {root: string; state: string}, options: Partial<CheckpointerOptions> = {}): Kept {
  const place = storePlace(state, root);
  const checkpointer = createCheckpointer({
    place,
    session: 'thr_1',
    limits: LIMITS,
    ignored: false,
    env: {HOME: state},
    isBusy: () => false,
    ...options,
  });
  let turns = 0;
  return {
    root,
    state,
    place,
    async turn(paths, act) {
      turns += 1;
      checkpointer.beginTurn({id: `trn_${turns}`, title: `turn ${turns}`});
      const pending = await checkpointer.before({paths: paths === 'tree' ? 'tree' : paths.map(bytePath)}, never);
      act();
      await pending.finish();
      return checkpointer.endTurn();
    },
    list: () => readCheckpoints(place),
    async restore(id, more = {}) {
      const target = readCheckpoints(place).find((one) => one.id === id);
      if (target === undefined) throw new Error(`There is no checkpoint ${id}.`);
      const done = await restoreCheckpoint({
        place,
        target,
        limits: options.limits ?? LIMITS,
        scope: 'files',
        files: [],
        force: false,
        dryRun: false,
        ...more,
      });
      return {
        id: done.id,
        restored: done.restored.map(pathText),
        refused: done.refused.map(({path, reason}) => `${pathText(path)}: ${reason}`),
        notes: done.notes,
        seen: done.seen.map(({path}) => pathText(path)),
      };
    },
  };
}

/** Everything that undo promises to bring back: contents, modes, links, empty folders, names of any bytes. */
export function treeOf(root: string): Record<string, string> {
  const tree: Record<string, string> = {};
  const visit = (folder: Buffer): void => {
    for (const name of readdirSync(folder, {encoding: 'buffer'}).sort(Buffer.compare)) {
      const path = Buffer.concat([folder, Buffer.from('/'), name]);
      const stats = lstatSync(path);
      const mode = (stats.mode & 0o7777).toString(8);
      const key = path.subarray(root.length + 1).toString('latin1');
      if (stats.isSymbolicLink()) tree[key] = `-> ${readlinkSync(path, {encoding: 'latin1'})}`;
      else if (stats.isDirectory()) {
        tree[key] = `folder ${mode}`;
        visit(path);
      } else tree[key] = `${mode} ${stats.isFile() ? readFileSync(path, 'latin1') : 'other'}`;
    }
  };
  visit(Buffer.from(root));
  return tree;
}
