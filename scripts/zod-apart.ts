import {readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {Plugin} from 'esbuild';

/**
 * Zod in its usual form, which authors of tools and the MCP library use, becomes a copy apart from `zod/mini`: a bundler keeps what anyone needs
 * of a module in one place, and every start would load all of it. The two copies know each other's schemas, as those of two packages do.
 */
export const zodApart: Plugin = {
  name: 'zod-apart',
  setup({onResolve, onLoad}) {
    onResolve({filter: /^zod(?:\/v4)?$/}, ({path}) => ({
      path: fileURLToPath(import.meta.resolve(path)),
      namespace: APART,
      sideEffects: false,
    }));
    onResolve({filter: /^\./, namespace: APART}, ({path, importer}) =>
      LOCALES.test(path) ? undefined : {path: join(dirname(importer), path), namespace: APART, sideEffects: false},
    );
    onLoad({filter: /\.js$/, namespace: APART}, ({path}) => ({contents: readFileSync(path, 'utf8')}));
  },
};

const APART = 'zod-apart';
/** Left to the plugin that leaves them out. */
const LOCALES = /\/locales\/index\.js$/;
