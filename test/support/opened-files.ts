import fs from 'node:fs';
import {syncBuiltinESMExports} from 'node:module';
import {relative} from 'node:path';
import {onTestFinished} from 'vitest';

/** The files and folders below a folder that are opened or listed from now on to the end of the test, relative to it, in their order. */
export function openedBelow(folder: string): readonly string[] {
  const seen: string[] = [];
  const {openSync, readdirSync, readFileSync, readdir} = fs;
  const noted =
    (original: unknown) =>
    (...args: unknown[]): unknown => {
      const path = String(args[0]);
      if (path === folder || path.startsWith(`${folder}/`)) seen.push(relative(folder, path));
      return (original as (...given: unknown[]) => unknown)(...args);
    };
  const patch = (functions: object): void => {
    Object.assign(fs, functions);
    syncBuiltinESMExports();
  };
  patch({openSync: noted(openSync), readdirSync: noted(readdirSync), readFileSync: noted(readFileSync), readdir: noted(readdir)});
  onTestFinished(() => patch({openSync, readdirSync, readFileSync, readdir}));
  return seen;
}
