import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {systemErrorCode} from '../../base/errors.ts';
import {parseJson} from '../../base/json.ts';
import type {ProposedFile} from '../../tools/ports/agent-runner.ts';

const Kind = z.enum(['add', 'delete', 'update']);

/** Facts about a subagent's copy of the repository: `<stateDir>/worktrees/<thread of the subagent>.json`. */
const WorktreeFacts = z.object({
  version: z.literal(1),
  /** The top of the repository that it is a copy of; absolute, real. */
  top: z.string(),
  /** Path of the workspace in the repository: '' or `packages/a/`. */
  prefix: z.string(),
  /** `refs/heads/…`, or the commit where no branch was checked out. */
  branch: z.string(),
  commit: z.string(),
  /** The tree that it began with: the commit, plus uncommitted changes. */
  base: z.string(),
  /** The tree at the end of the work; absent if it was not stored yet. */
  result: z.optional(z.string()),
  /** True while the folder is being filled: it contains no work yet. */
  opening: z.optional(z.boolean()),
  /** Relative to `top`. */
  files: z.array(z.object({path: z.string(), kind: Kind})),
  owner: z.object({pid: z.number(), started: z.optional(z.string())}),
});
export type WorktreeFacts = z.infer<typeof WorktreeFacts>;

export function worktreesFolder(stateDir: string): string {
  return join(stateDir, 'worktrees');
}

export function factsFile(stateDir: string, childThreadId: string): string {
  return join(worktreesFolder(stateDir), `${childThreadId}.json`);
}

/** Returns the threads that have a copy, or left one behind. */
export function worktreeNames(stateDir: string): readonly string[] {
  try {
    const names = readdirSync(worktreesFolder(stateDir));
    return names.filter((name) => /^[\w-]+\.json$/.test(name)).map((name) => name.slice(0, -'.json'.length));
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return [];
  }
}

/** Prefix of the folder of a merge of this process, beside the copies; `sweepLeftovers` knows the name. */
export function mergeFolderPrefix(stateDir: string): string {
  return join(worktreesFolder(stateDir), `merge-${process.pid}-`);
}

/** Returns undefined if the facts are missing or unreadable. */
export function readFacts(stateDir: string, childThreadId: string): WorktreeFacts | undefined {
  try {
    const parsed = WorktreeFacts.safeParse(parseJson(readFileSync(factsFile(stateDir, childThreadId), 'utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Returns the files that are not merged yet. */
export function proposedFiles(stateDir: string, childThreadId: string): readonly ProposedFile[] {
  const facts = readFacts(stateDir, childThreadId);
  return facts === undefined ? [] : facts.files.map(({path, kind}) => ({path: join(facts.top, path), kind}));
}
