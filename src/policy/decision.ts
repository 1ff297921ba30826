import type {SideEffect} from '../protocol/side-effect.ts';
import type {Machine} from './places/machine-places.ts';

/** The facts on which a call is judged. Pure data: the policy never touches a disk. */
export interface PermissionRequest {
  /** The published name of the tool, and the permission family of its operation: `bash`, `write`, `edit`, `read` … Rules match either. */
  readonly toolNames: readonly string[];
  readonly sideEffect: SideEffect;
  readonly subjects: readonly Subject[];
  /** Lists the names in a folder, to expand the globs of a command; absent if no folder may be listed. */
  readonly listFolder?: ListFolder | undefined;
}

/** Lists a folder, an absolute path; undefined if it is not a folder, cannot be read, or has too many names. */
export type ListFolder = (folder: string) => FolderNames | undefined;

export interface FolderNames {
  /** The folder with all links followed. */
  readonly real: string;
  /** All of its names, those with a leading dot too. */
  readonly names: readonly string[];
  /** The names that are links, with their targets; '' for a dangling link. */
  readonly links: ReadonlyMap<string, string>;
  /** The names that are folders, or links to one. */
  readonly folders: ReadonlySet<string>;
}

export type Subject =
  | {
      readonly kind: 'command';
      readonly command: string;
      /** Absolute. */
      readonly cwd: string;
      /** Absolute; absent: `cwd`. */
      readonly workspace?: string | undefined;
    }
  | {
      readonly kind: 'path';
      /** Absolute and real: links were followed. */
      readonly path: string;
      readonly relative: string;
      readonly inside: boolean;
      readonly write: boolean;
      /** As it was asked for; deny and ask rules hold for this name too. */
      readonly requested?: string | undefined;
      /** The file has another name, too, which cannot be known from here: a hard link. */
      readonly hardLinked?: boolean | undefined;
    }
  | {
      readonly kind: 'name';
      /** Any other subject of a call, such as a host, an agent or an MCP tool. Rules match it as a whole. */
      readonly name: string;
      /** The way to compare its notations: as a URI in its normal form, as the host of a web address, else letter by letter. */
      readonly address?: 'uri' | 'host' | undefined;
      /** The reason why a person must decide, whatever the rules and the mode allow. */
      readonly caution?: string | undefined;
    };

export type Mode = 'plan' | 'ask' | 'accept-edits' | 'full-auto';
export type Verdict = 'allow' | 'ask' | 'deny';

/** One rule `tool:pattern` (seed 001 › permission rules) and where it was written. */
export interface Rule {
  readonly text: string;
  readonly effect: Verdict;
  /** managed · flags · session · project · user · default, or a file with its line. */
  readonly source: string;
}

export interface Policy {
  readonly mode: Mode;
  readonly rules: readonly Rule[];
  /** The verdict if no rule and no mode decides. */
  readonly fallback: Verdict;
  /** The one file that may be written in the mode plan; absolute and real. */
  readonly planFile?: string | undefined;
  /** Commands have a sandbox and no network of the machine: then no mode opens a host either, which would be the way around them. */
  readonly sandboxed?: boolean | undefined;
  /** Places of this machine that are guarded, even if the workspace holds them. */
  readonly machine?: Machine | undefined;
}

/** The answer and everything needed to explain it. */
export interface Decision {
  readonly verdict: Verdict;
  /** One line for a person. */
  readonly reason: string;
  /** Source of the decision: `rule:<text>`, `mode:<name>`, `default`. */
  readonly decidedBy: string;
  readonly rule: Rule | undefined;
  /** Each part that was judged: a simple command, a redirect target, a path. */
  readonly parts: readonly PartDecision[];
  /** A rule that would have allowed it, several with `, ` between them; undefined if none should. */
  readonly wouldAllow: string | undefined;
  /** The same, one by one: the rules that a person may be offered. */
  readonly offers: readonly string[];
}

export interface PartDecision {
  readonly text: string;
  readonly verdict: Verdict;
  readonly reason: string;
  readonly rule: Rule | undefined;
  /** Set if the question is about the place: outside the workspace, or a path that other programs load. */
  readonly place?: PlaceRule | undefined;
}

export interface PlaceRule {
  /** A rule that names the place exactly and would allow this part; undefined if none would. */
  readonly allow: string | undefined;
}
