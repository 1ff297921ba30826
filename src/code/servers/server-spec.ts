import type {JsonObject} from '../../base/json.ts';

/** A language server: which program, for which languages (by the names of this folder's grammars). */
export interface ServerSpec {
  readonly name: string;
  readonly languages: readonly string[];
  readonly command: string;
  readonly args: readonly string[];
  /** `initializationOptions`, and the answer to `workspace/configuration`. */
  readonly options?: JsonObject | undefined;
  /** Arguments by which a program tells that it is new enough: its output must fit `versionPattern`. */
  readonly versionArgs?: readonly string[] | undefined;
  readonly versionPattern?: RegExp | undefined;
}

/** A spec whose program was found. */
export interface FoundServer extends ServerSpec {
  /** Absolute. */
  readonly program: string;
  /** It lies in the project, where edits can reach it. */
  readonly isInProject: boolean;
}
