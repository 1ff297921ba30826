import type {RolloutKey} from '../rollout/rollout.ts';

/**
 * Keeps what rollouts leave: logs, patches, outputs. Names are letters, digits, `.`, `_` and `-`, 100 at most; others are BAD_ARGS. A rollout that is
 * run again finds what an earlier attempt left under the same key.
 */
export interface ArtifactStore {
  /** Stores it, whole or not at all; what had the name before is replaced. Returns where it is, as a result names it. */
  put(artifact: Artifact, content: Uint8Array, signal: AbortSignal): Promise<string>;
  /** Undefined: there is none. TOO_LARGE above `maxBytes`, without it 256 MiB. */
  get(artifact: Artifact & {readonly maxBytes?: number | undefined}, signal: AbortSignal): Promise<Uint8Array | undefined>;
  has(artifact: Artifact, signal: AbortSignal): Promise<boolean>;
  /** Removes it; nothing happens if there is none. */
  remove(artifact: Artifact, signal: AbortSignal): Promise<void>;
  /** Names, sorted. */
  list(key: RolloutKey, signal: AbortSignal): Promise<readonly string[]>;
}

export interface Artifact {
  readonly key: RolloutKey;
  readonly name: string;
}

export const MAX_ARTIFACT_BYTES = 256 * 2 ** 20;
