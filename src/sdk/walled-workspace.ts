import {sep} from 'node:path';
import {FettleError} from '../base/errors.ts';
import type {SandboxRules} from '../exec/sandbox/sandbox.ts';
import type {Workspace} from '../workspace/workspace.ts';

/**
 * Where commands have walls, tools that write stay within them: they run outside, and a link that a command has made would lead them out
 * (CVE-2026-39861). Throws OUTSIDE_SCOPE for a write elsewhere, by the real path.
 */
export function walledWorkspace(workspace: Workspace, {writable}: Pick<SandboxRules, 'writable'>): Workspace {
  return {
    ...workspace,
    async resolve(path, options) {
      const resolved = await workspace.resolve(path, options);
      const isWritable = resolved.inside || writable.some((folder) => `${resolved.path}${sep}`.startsWith(`${folder}${sep}`));
      if (!options.forWrite || isWritable) return resolved;
      throw new FettleError({
        code: 'OUTSIDE_SCOPE',
        message: `${path} leads out of the sandbox.`,
        hint: 'Only files in the workspace can be written. Say what is needed elsewhere.',
      });
    },
  };
}
