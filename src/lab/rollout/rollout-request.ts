import type {JsonObject} from '../../base/json.ts';
import type {Isolation} from '../../exec/sandbox/isolation.ts';
import type {Auth} from '../../models/http/http-provider.ts';
import type {Containers} from '../container/containers.ts';
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
  /** For tasks that run in one; undefined if no engine answers, or if none has been asked. */
  readonly containers?: Containers | undefined;
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

/** The way in which `fettle` is started. */
export interface AgentCommand {
  readonly program: string;
  /** Those before the command. */
  readonly args: readonly string[];
  /** The variables of the owner, of which programs see the harmless ones. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Variables for the agent alone, such as the keys of providers. Its commands do not see them. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The servers of the models that are run. Agents in containers reach them without the keys. */
  readonly upstreams?: readonly ModelUpstream[] | undefined;
  /** Settings of the agent, as in its configuration file; those that a rollout decides are replaced. */
  readonly settings: JsonObject;
  readonly version: string;
}

/** A server of models, with what it is to be sent. */
export interface ModelUpstream {
  /** As requests begin, with the version of the API; it may have a name and a password. */
  readonly baseUrl: string;
  readonly header: Auth['header'];
  readonly key: string | undefined;
  readonly keyVariable: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** The path of a file, or the bytes themselves. */
export type ArtifactContent = string | Uint8Array;

/** The artefacts of this one rollout, kept under its key. */
export interface RolloutArtifacts {
  /** Stores a copy; returns where. */
  put(name: string, content: ArtifactContent, signal: AbortSignal): Promise<string>;
  /** Writes a stored artefact to a file; false if there is none. */
  get(name: string, file: string, signal: AbortSignal): Promise<boolean>;
  /** Removes a stored artefact, if there is one. */
  remove(name: string, signal: AbortSignal): Promise<void>;
}
