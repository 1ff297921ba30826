import {lstatSync, readlinkSync, symlinkSync, unlinkSync} from 'node:fs';
import {join} from 'node:path';
import type {AutoloadedLink} from './autoloaded-entries.ts';

/**
 * Links that programs outside follow, and that a command has replaced: they are put back, where that can be done without following anything
 * that the command made, which is in the root itself. The answer says what was found.
 */
export function restoreLinks(root: string, links: readonly AutoloadedLink[]): string[] {
  return links.flatMap(({path, target}) => {
    const at = join(root, path);
    const now = lstatSync(at, {throwIfNoEntry: false});
    if (now?.isSymbolicLink() === true && readlinkSync(at) === target) return [];
    if (path.includes('/') || now?.isDirectory() === true) return [`${path} was a link to ${target} and is not any more: look at it.`];
    try {
      if (now !== undefined) unlinkSync(at);
      symlinkSync(target, at);
    } catch {
      // A command that runs was quicker.
      return [`${path} was a link to ${target} and is not any more: look at it.`];
    }
    return [`${path} is protected: the link to ${target} was put back.`];
  });
}
