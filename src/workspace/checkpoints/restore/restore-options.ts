import {FettleError} from '../../../base/errors.ts';
import {bytePath} from '../byte-path.ts';
import {type Capture, captureEntry} from '../capture.ts';
import type {Checkpoint, RestoreScope} from '../checkpoint.ts';
import type {CheckpointLimits} from '../checkpointer-options.ts';
import {openBlobStore} from '../store/blob-store.ts';
import {STORE_FS, type StoreFs} from '../store/store-fs.ts';
import type {StorePlace} from '../store/store-place.ts';
import {withKnownContents} from './known-contents.ts';
import {type PlanOptions, planRestore, type RestorePlan} from './restore-plan.ts';

/** The checkpoint that is restored, and the parts of it to restore. */
export interface RestoreOptions {
  readonly place: StorePlace;
  readonly target: Checkpoint;
  readonly limits: CheckpointLimits;
  readonly scope: RestoreScope;
  /** Paths from the root, UTF-8; none: all. */
  readonly files: readonly string[];
  /** True: restores files even if others changed them since. */
  readonly force: boolean;
  /** True: only returns the planned changes. */
  readonly dryRun: boolean;
  readonly fs?: StoreFs | undefined;
}

/** Returns the steps of a restore, and the refused paths. Throws IO for damaged records without `force`. */
export async function planned(
  {chain, meanwhile}: Pick<PlanOptions, 'chain' | 'meanwhile'>,
  options: RestoreOptions,
  look: Capture,
): Promise<RestorePlan> {
  const {place, limits, scope, files, force} = options;
  if (scope === 'conversation') return {steps: [], refused: []};
  const damaged = chain.filter(({isDamaged}) => isDamaged);
  if (damaged.length > 0 && !force) throw damagedRecords(damaged);
  const plan = await planRestore({
    chain,
    meanwhile,
    only: files.map(bytePath),
    current: (path) => captureEntry(path, look),
    own: place.own,
    force,
  });
  return withKnownContents(plan, {blobs: openBlobStore({folder: place.blobs, fs: STORE_FS, room: limits.maxBytes}), force});
}

function damagedRecords(damaged: readonly Checkpoint[]): FettleError {
  const ids = damaged.map(({id}) => id).join(', ');
  return new FettleError({
    code: 'IO',
    message: `Nothing was restored: the record of ${ids} is damaged, so what it changed is not known for certain.`,
    hint: 'Restore a later checkpoint, or --force to restore what can still be read.',
  });
}
