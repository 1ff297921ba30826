import {sep} from 'node:path';
import {FettleError} from '../../base/errors.ts';
import type {SandboxRules} from '../../exec/sandbox/sandbox.ts';
import type {Workspace} from '../../workspace/workspace.ts';

/**
 * Keeps writing tools within the sandbox of commands: they run outside it, and a link that a command has made
 * would lead them out (CVE-2026-39861). Files that are hidden from commands (keys, logins) are hidden from these
 * tools, too. Throws OUTSIDE_SCOPE, judged by the real path.
 */
export function sandboxedWorkspace(
  workspace: Workspace,
  {writable, hidden, visible}: Pick<SandboxRules, 'writable' | 'hidden' | 'visible'>,
): Workspace {
  return {
    ...workspace,
    async resolve(path, options) {
      const resolved = await workspace.resolve(path, options);
      const isIn = (folders: readonly string[]): boolean =>
        folders.some((folder) => `${resolved.path}${sep}`.startsWith(`${folder}${sep}`));
      // A search of a folder would read hidden files below it.
      const isAbove = hidden.some((place) => place.startsWith(resolved.path === sep ? sep : resolved.path + sep));
      if (!resolved.inside && (isIn(hidden) || isAbove) && !isIn(visible)) throw unseen(path);
      if (!options.forWrite || resolved.inside || isIn(writable)) return resolved;
      throw new FettleError({
        code: 'OUTSIDE_SCOPE',
        message: `${path} leads out of the sandbox.`,
        hint: 'Only files in the workspace can be written. Say what is needed elsewhere.',
      });
    },
  };
}

function unseen(path: string): FettleError {
  return new FettleError({
    code: 'OUTSIDE_SCOPE',
    message: `${path} is hidden by the sandbox, or contains hidden files: keys, logins, histories.`,
    hint: 'Continue without it, or name a deeper folder. Say what you need from there.',
  });
}
