import type {Timing} from '../times/timing.ts';

/** A durable job, as its file says it. */
export interface JobDefinition {
  /** Name of its file without `.toml`: lower case letters, digits and single hyphens, at most 64 characters. */
  readonly name: string;
  readonly action: {readonly kind: 'prompt'; readonly prompt: string} | {readonly kind: 'reminder'; readonly text: string};
  readonly timing: Timing;
  /** Absolute, a real path. */
  readonly workspace: string;
  /** Which of the due times that passed while nothing ran are run later. */
  readonly missed: 'skip' | 'once' | 'all';
  /** The rule for a due time that comes while an earlier run of the job still goes on. */
  readonly overlap: 'skip' | 'queue' | 'cancel-old';
  /** Which ends of runs a person is told about. */
  readonly notify: 'always' | 'failure' | 'never';
  readonly createdAt: number;
  /** Digest of what the project would run or load when the job was added or accepted; absent for a reminder. */
  readonly project?: string | undefined;
  readonly rights: JobRights;
}

/** The options of `fettle exec` that a run of the job gets. What is absent here is not granted by other configuration. */
export interface JobRights {
  readonly model?: string | undefined;
  readonly toolset?: string | undefined;
  readonly mode: 'plan' | 'ask' | 'accept-edits' | 'full-auto';
  readonly sandbox: 'off' | 'read-only' | 'workspace-write';
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
  /** Domains that sandboxed commands may reach. */
  readonly domains: readonly string[];
  readonly verify: readonly string[];
  readonly maxTurns?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly maxCostUsd?: number | undefined;
  readonly maxTimeS?: number | undefined;
}
