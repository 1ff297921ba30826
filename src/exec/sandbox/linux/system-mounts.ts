import {existsSync, lstatSync, realpathSync} from 'node:fs';
import {sep} from 'node:path';
import type {Mount} from './bubblewrap-args.ts';
import {resolverFile} from './resolver-file.ts';
import type {SandboxRules} from '../sandbox.ts';

/** Builds the mounts that hide or replace parts of the machine. Hidden paths are looked up again each time. */
export function systemMounts({hidden, visible, root, writable, network}: SandboxRules, scratchDir: string): Mount[] {
  const shown: Mount[] = [...visible.filter((path) => existsSync(path)), ...(network.open ? resolverFile() : [])].map((path) => ({
    path: realpathSync(path),
    as: 'read-only',
  }));
  return [
    ...['/run', '/var/run'].filter(isFolder).map((path): Mount => ({path, as: 'empty'})),
    // Nothing may be mounted in folders that commands have written: a link there would lead the mount elsewhere.
    ...['/tmp', '/var/tmp'].filter(isFolder).map((path): Mount => ({
      path,
      as: [root, scratchDir, ...writable].some((inside) => inside.startsWith(path + sep)) ? 'private' : 'scratch',
    })),
    ...hidden.flatMap((path): Mount[] => {
      const found = lstatSync(path, {throwIfNoEntry: false});
      if (found?.isDirectory() === true) return [{path, as: 'empty'}];
      return found?.isFile() === true ? [{path, as: 'blank'}] : [];
    }),
    // Whoever works in a folder sees it, even if that is one that is hidden.
    {path: root, as: 'read-only'},
    ...shown,
    {path: scratchDir, as: 'scratch'},
  ];
}

function isFolder(path: string): boolean {
  return lstatSync(path, {throwIfNoEntry: false})?.isDirectory() === true;
}
