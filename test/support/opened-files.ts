import fs from 'node:fs';
import {syncBuiltinESMExports} from 'node:module';
import {relative} from 'node:path';
import {onTestFinished} from 'vitest';

/** The files and folders below a folder that are opened or listed from now on to the end of the test, relative to it, in their order. */
export function openedBelow(folder: string): readonly string[] {
  const seen: string[] = [];
  const {openSync, readdirSync, readFileSync} = fs;
  const noted = <Given extends (...args: never[]) => unknown>(original: Given): Given =>
    ((...args: Parameters<Given>) => {
      const path = String(args[0]);
      if (path === folder || path.startsWith(`${folder}/`)) seen.push(relative(folder, path));
      return original(...args);
    }) as Given;
  const patch = (functions: object): void => {
    Object.assign(fs, functions);
    syncBuiltinESMExports();
  };
  patch({openSync: noted(openSync), readdirSync: noted(readdirSync), readFileSync: noted(readFileSync)});
  onTestFinished(() => patch({openSync, readdirSync, readFileSync}));
  return seen;
}
