import {realpath} from 'node:fs/promises';
import {sep} from 'node:path';
import {isFettleError} from '../base/errors.ts';
import type {Workspace} from '../workspace/workspace.ts';
import type {Toolset} from './toolset.ts';

/**
 * The workspace as the tools of a toolset see it: where its scope is 'inside', every path of every operation must really lie below the root,
 * however the operation asks for it. What this thread keeps of its own outputs may be read: the model was told to.
 */
export function confinedWorkspace(workspace: Workspace, {pathScope}: Pick<Toolset, 'pathScope'>, spoolDir: string): Workspace {
  if (pathScope !== 'inside') return workspace;
  return {
    root: workspace.root,
    async resolve(path, options) {
      try {
        return await workspace.resolve(path, {...options, scope: 'inside'});
      } catch (error) {
        if (!isFettleError(error) || error.code !== 'OUTSIDE_SCOPE' || options.forWrite) throw error;
        const resolved = await workspace.resolve(path, {...options, scope: 'any'});
        if (resolved.path.startsWith(`${await realpath(spoolDir).catch(() => spoolDir)}${sep}`)) return resolved;
        throw error;
      }
    },
  };
}
