import type {JsonObject} from '../../base/json.ts';
import type {Isolation} from '../../exec/sandbox/isolation.ts';
import type {SuiteTask} from '../suite/task.ts';
import type {RolloutKey} from './rollout.ts';

/** Everything that one rollout needs to know; plain data but for the ports. */
export interface RolloutRequest {
  readonly key: RolloutKey;
  readonly task: SuiteTask;
  /** How often the infrastructure failed before. */
  readonly retries: number;
  readonly folders: RolloutFolders;
  readonly agent: AgentCommand;
  readonly artifacts: RolloutArtifacts;
  /**
   * Keeps the tests and the results out of the agent's reach. Undefined only if a person has agreed to run without: then the agent can read and
   * change what this user can.
   */
  readonly isolation: Isolation | undefined;
}

/** All absolute. */
export interface RolloutFolders {
  /** The folder in which each rollout gets a scratch folder of its own. */
  readonly scratch: string;
  /** Folders that no agent may see: the suite, results and artefacts of the lab. */
  readonly hidden: readonly string[];
  /** Compiled code of the agent, shared by all rollouts, which may not write it. */
  readonly compileCache?: string | undefined;
}

/** The way in which `fettle exec` is started. */
export interface AgentCommand {
  readonly program: string;
  /** Those before `exec`. */
  readonly args: readonly string[];
  /** The variables of the owner, of which programs see the harmless ones. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Variables for the agent alone, such as the keys of providers. Its commands do not see them. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Settings of the agent, as in its configuration file; those that a rollout decides are replaced. */
  readonly settings: JsonObject;
  readonly version: string;
}

/** The artefacts of this one rollout, kept under its key. */
export interface RolloutArtifacts {
  /** Stores a copy of a file; returns where. */
  put(name: string, file: string, signal: AbortSignal): Promise<string>;
  /** Writes a stored artefact to a file; false if there is none. */
  get(name: string, file: string, signal: AbortSignal): Promise<boolean>;
  /** Removes a stored artefact, if there is one. */
  remove(name: string, signal: AbortSignal): Promise<void>;
}
