import {accessSync, constants} from 'node:fs';
import {createRequire} from 'node:module';
import type {GitEnvironment} from '../workspace/ignore/git-settings.ts';
import type {SearchEngine} from './engine.ts';

export interface EngineOptions {
  /** Finds the ripgrep program; undefined: there is none. */
  readonly locate?: () => string | undefined;
  readonly env?: GitEnvironment;
}

/**
 * The search engine of this machine: ripgrep if it is installed and runs, else the built-in one. `name` says which; the program is looked up
 * on first use, and abandoned for good if it does not run.
 */
export function createSearchEngine({locate = locateRipgrep, env = process.env}: EngineOptions = {}): SearchEngine {
  let located: {program: string | undefined} | undefined;
  const program = (): string | undefined => (located ??= {program: locate()}).program;
  return {
    get name() {
      return program() === undefined ? 'builtin' : 'ripgrep';
    },
    files: async (query, signal) => await (await import('./files.ts')).findFiles(query, env, signal),
    async grep(query, signal) {
      const {openGrepRoot} = await import('./grep-root.ts');
      const root = await openGrepRoot(query, signal);
      const path = program();
      if (path !== undefined) {
        const {grepWithRipgrep} = await import('./ripgrep/ripgrep.ts');
        const result = await grepWithRipgrep({program: path, root, env}, query, signal);
        if (result !== undefined) return result;
        located = {program: undefined};
      }
      const {grepBuiltin} = await import('./builtin.ts');
      return grepBuiltin({root, env}, query, signal);
    },
  };
}

/** The program that comes with the package `@vscode/ripgrep`. */
function locateRipgrep(): string | undefined {
  try {
    const require = createRequire(import.meta.url);
    const loaded = require('@vscode/ripgrep') as {rgPath?: unknown};
    if (typeof loaded.rgPath !== 'string') return undefined;
    accessSync(loaded.rgPath, constants.X_OK);
    return loaded.rgPath;
  } catch {
    return undefined; // not installed for this platform, or not executable
  }
}
