import {pathSwapped} from '../exec/directory-handle.ts';
import type {Workspace} from './workspace.ts';

/**
 * Returns a workspace for one call: a path must have the same target when the call runs as when its permission
 * was decided. A link that appeared in between, for instance while a person was asked, is refused: STALE.
 */
export function pinnedWorkspace(workspace: Workspace): Workspace {
  const approved = new Map<string, string>();
  return {
    root: workspace.root,
    async resolve(path, options) {
      const resolved = await workspace.resolve(path, options);
      const before = approved.get(path);
      if (before !== undefined && before !== resolved.path) throw pathSwapped(before);
      approved.set(path, resolved.path);
      return resolved;
    },
  };
}
