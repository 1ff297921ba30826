import type {GitEnvironment} from '../ignore/git-settings.ts';
import type {StoreFs} from './store/store-fs.ts';
import type {StorePlace} from './store/store-place.ts';

/** The store, the limits and the coverage of the checkpoints of one session. */
export interface CheckpointerOptions {
  readonly place: StorePlace;
  /** The thread. */
  readonly session: string;
  readonly limits: CheckpointLimits;
  /** True: checkpoints also cover everything that .gitignore files exclude; false: only small parts of that. */
  readonly ignored: boolean;
  readonly env: GitEnvironment;
  /** The reason why the effects of commands are not covered in this folder; undefined: they are. */
  readonly commandsUncovered?: string | undefined;
  /** True while a command that was started earlier still runs: changes between two looks are its work. */
  readonly isBusy: () => boolean;
  readonly fs?: StoreFs | undefined;
}

/** Limits of checkpoints: bytes, entries and ms. */
export interface CheckpointLimits {
  /** Most bytes of everything stored for the workspace. */
  readonly maxBytes: number;
  readonly maxFileBytes: number;
  readonly maxEntries: number;
  /** ms that one look at the tree may read contents. */
  readonly maxReadMs: number;
}
