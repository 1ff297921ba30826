import type {FileFacts} from '../file-facts.ts';
import type {CodeGraph} from '../code-graph.ts';
import type {LanguageServers} from '../servers/language-servers.ts';

/** What a change by symbol would do. Nothing is written here: whoever asked shows it, writes it, and can undo it. */
export interface EditPlan {
  /** By path. */
  readonly files: readonly PlannedFile[];
  /** How it was proved: by a language server, or by the index. */
  readonly provedBy: string;
}

export interface PlannedFile {
  /** From the root of the workspace. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** What planning needs. */
export interface EditSources {
  readonly graph: Pick<CodeGraph, 'references' | 'graph' | 'outline' | 'resolve' | 'factsOf' | 'namesIn' | 'files'>;
  /** The text of a file, as it is now. */
  readonly read: (path: string) => Promise<string>;
  /** The real path of the workspace. */
  readonly root: string;
  readonly signal: AbortSignal;
  /** Asked first, where there is one for the language. */
  readonly servers?: Pick<LanguageServers, 'rename'> | undefined;
}

/** What a file says now, and would say; undefined where nothing parses it. */
export interface FactsChange {
  readonly path: string;
  readonly before: FileFacts;
  readonly after: FileFacts;
}
