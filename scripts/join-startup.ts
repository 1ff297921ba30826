import {readFileSync, writeFileSync} from 'node:fs';
import {basename, dirname, join, relative} from 'node:path';
import {build, type Metafile, type Plugin} from 'esbuild';

/** What a headless run loads before its first request, by the source of the chunk. */
const STARTUP = ['src/hosts/cli/main.ts', 'src/hosts/cli/commands/exec.ts', 'src/models/registry.ts', 'src/tools/toolsets/fettle.ts'];

export interface Built {
  readonly metafile: Metafile;
  /** What its paths are relative to. */
  readonly root: string;
  /** What each file of the build begins with. */
  readonly banner: string;
}

/**
 * Splitting leaves what a start needs in more than a hundred small files, and each costs a third of a millisecond. They become one: the
 * chunk `core.js`; each of them stays as a name that points into it, for those who load the rest later.
 */
export async function joinStartup({metafile, root, banner}: Built): Promise<void> {
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [join(root, path), output]));
  const entries = [...outputs].filter(([, {entryPoint}]) => entryPoint !== undefined && STARTUP.includes(entryPoint)).map(([path]) => path);
  const joined = new Set<string>();
  for (const path of entries) addWithImports(path);
  const folder = dirname([...joined].find((path) => basename(dirname(path)) === 'chunks') ?? '');
  const named = [...joined].map((path, at) => ({
    path,
    names: (outputs.get(path)?.exports ?? []).map((name) => [name, `_${at}_${name}`] as const),
  }));
  const contents = named
    .map(({path, names}) => `export {${names.map(([name, unique]) => `${name} as ${unique}`).join(', ')}} from ${JSON.stringify(path)};`)
    .join('\n');
  const core = join(folder, 'core.js');
  await build({
    stdin: {contents, resolveDir: folder},
    outfile: core,
    bundle: true,
    format: 'esm',
    minify: true,
    platform: 'node',
    target: 'node24',
    logLevel: 'warning',
    plugins: [outside(joined, folder), withoutBanner(banner)],
  });
  for (const {path, names} of named) {
    const from = JSON.stringify(`./${relative(dirname(path), core)}`);
    writeFileSync(path, `export {${names.map(([name, unique]) => `${unique} as ${name}`).join(', ')}} from ${from};\n`);
  }

  function addWithImports(path: string): void {
    if (joined.has(path)) return;
    joined.add(path);
    for (const {path: imported, kind, external} of outputs.get(path)?.imports ?? []) {
      if (kind === 'import-statement' && external !== true) addWithImports(join(root, imported));
    }
  }
}

/** What is not joined stays a file of its own. */
function outside(joined: ReadonlySet<string>, folder: string): Plugin {
  return {
    name: 'outside',
    setup({onResolve}) {
      onResolve({filter: /.*/}, ({path, resolveDir}) => {
        const file = path.startsWith('.') ? join(resolveDir, path) : path;
        if (joined.has(file)) return {path: file};
        return {path: path.startsWith('.') ? `./${relative(folder, file)}` : path, external: true};
      });
    },
  };
}

/** Making a `require` takes its time: only what asks for one gets one. */
function withoutBanner(banner: string): Plugin {
  return {
    name: 'without-banner',
    setup({onLoad}) {
      onLoad({filter: /\.js$/}, ({path}) => {
        const text = readFileSync(path, 'utf8');
        const rest = text.replace(banner, '');
        return {contents: /\brequire\b/.test(rest) ? text : rest, loader: 'js'};
      });
    },
  };
}
