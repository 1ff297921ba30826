import {realpath} from 'node:fs/promises';
import {sep} from 'node:path';
import {isFettleError} from '../../base/errors.ts';
import type {Workspace} from '../../workspace/workspace.ts';
import type {ToolContext} from '../context.ts';
import type {Tool} from '../toolset.ts';

/**
 * Restricts the context of a tool: if its scope is 'inside', every real path must be below the root, whichever
 * way its operation accesses it ("Cannot write outside project directory" of vibe; the file tools of blade and
 * vtcode). The stored outputs of this thread may be read, since results refer to them.
 */
export function confined<Context extends Pick<ToolContext, 'workspace' | 'spoolDir'>>(
  {pathScope}: Pick<Tool, 'pathScope'>,
  ctx: Context,
): Context {
  return pathScope === 'inside' ? {...ctx, workspace: confinedWorkspace(ctx)} : ctx;
}

function confinedWorkspace({workspace, spoolDir}: Pick<ToolContext, 'workspace' | 'spoolDir'>): Workspace {
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
