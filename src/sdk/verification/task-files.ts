import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {createRedactor} from '../../base/redact.ts';
import {FettleError, toFettleError} from '../../base/errors.ts';
import {writeFileAtomic} from '../../workspace/write-file.ts';
import type {PlanFile} from '../../tools/ports/plan-file.ts';
import type {Workspace} from '../../workspace/workspace.ts';

/** The files of one thread in the project, for people and other threads: `.fettle/tasks/<thread>/<name>.md`. */
export interface TaskFiles {
  /** From the root of the workspace. */
  pathOf(name: TaskFile): string;
  /** Writes the text without secrets. Returns why it could not be written, or undefined on success. */
  write(name: TaskFile, text: string): Promise<string | undefined>;
  /** Returns undefined if the file does not exist or cannot be read. */
  read(name: TaskFile): Promise<string | undefined>;
}

export type TaskFile = 'plan' | 'spec' | 'contract' | 'task' | 'evaluation' | 'blocked';

export function taskFiles(workspace: Workspace, threadId: string, secrets: readonly string[] = []): TaskFiles {
  const redactor = createRedactor({secrets, shapes: true});
  const pathOf = (name: TaskFile): string => `${TASKS}/${threadId}/${name}.md`;
  return {
    pathOf,
    async write(name, text) {
      try {
        await writePlain(workspace, `${TASKS}/.gitignore`, '*\n');
        await writePlain(workspace, pathOf(name), redactor.text(text));
        return undefined;
      } catch (thrown) {
        return `${pathOf(name)} could not be written: ${toFettleError(thrown).message}`;
      }
    },
    async read(name) {
      try {
        return (await readFile(await plainPath(workspace, pathOf(name)), 'utf8')).slice(0, MAX_CHARS);
      } catch {
        return undefined;
      }
    },
  };
}

/** Opens the plan file of a thread; `file` is its absolute path. */
export function planFile(workspace: Workspace, threadId: string, secrets: readonly string[]): PlanFile & {readonly file: string} {
  const files = taskFiles(workspace, threadId, secrets);
  const path = files.pathOf('plan');
  return {path, file: join(workspace.root, path), read: () => files.read('plan'), write: (text) => files.write('plan', text)};
}

export const TASKS = '.fettle/tasks';
const MAX_CHARS = 200_000;

async function writePlain(workspace: Workspace, path: string, text: string): Promise<void> {
  await writeFileAtomic(await plainPath(workspace, path), Buffer.from(text));
}

/** Refuses links: a project that brings one along must not decide where Fettle writes. */
async function plainPath(workspace: Workspace, path: string): Promise<string> {
  const resolved = await workspace.resolve(path, {scope: 'inside', forWrite: true});
  if (resolved.relative === path) return resolved.path;
  throw new FettleError({code: 'OUTSIDE_SCOPE', message: `${path} leads to ${resolved.path} by a link.`, hint: 'Remove the link.'});
}
