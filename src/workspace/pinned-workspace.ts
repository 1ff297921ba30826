import {pathSwapped} from '../exec/directory-handle.ts';
import type {Workspace} from './workspace.ts';

/**
 * A workspace for one call: what a path led to when permission was decided on it is what it must lead to when the call runs. A link that
 * was put there meanwhile, while a person thought about the answer for instance, is refused: STALE.
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
