import {lstatSync, readlinkSync, symlinkSync, unlinkSync} from 'node:fs';
import {join} from 'node:path';
import type {AutoloadedLink} from './autoloaded-entries.ts';

/**
 * Restores links that programs outside follow and a command has replaced, if that is possible without following
 * anything that the command made, that is, in the root itself. Returns the findings.
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
