import {readFileSync, writeFileSync} from 'node:fs';
import {basename, dirname, join, relative} from 'node:path';
import {build, type Metafile, type Plugin} from 'esbuild';

/** What every start loads, by the source of the chunk: the command line, and what settings are read with. */
const EVERY = [
  'src/hosts/cli/main.ts',
  'src/config/parse-toml.ts',
  'src/config/trust/collect-items.ts',
  'src/config/trust/trust-store.ts',
  'src/sdk/trust/trust-git.ts',
];
/** What a headless run loads before its first request. */
const HEADLESS = [...EVERY, 'src/hosts/cli/commands/exec.ts', 'src/models/open-provider.ts', 'src/tools/toolsets/fettle/fettle.ts'];
/** What the screen loads before its first frame: the loop and the providers are loaded behind it. */
const SCREEN = [...EVERY, 'src/hosts/cli/commands/tui.ts'];
/** What is loaded behind it, while keys are typed already. */
const SESSION = ['src/hosts/tui/fettle/open-fettle-session.ts'];

export interface Built {
  readonly metafile: Metafile;
  /** What its paths are relative to. */
  readonly root: string;
  /** What each file of the build begins with. */
  readonly banner: string;
}

/**
 * Splitting leaves what a start needs in more than a hundred small files, and each costs a third of a millisecond. They become four:
 * `core.js`, which every start needs, and what a headless run, the screen and the session behind the screen need besides. Each of the small
 * files stays as a name that points into one of these, for those who load the rest later.
 */
export async function joinStartup({metafile, root, banner}: Built): Promise<void> {
  const outputs: Outputs = new Map(
    Object.entries(metafile.outputs).map(([path, {entryPoint, exports, imports}]) => {
      const loaded = imports.filter(({kind, external}) => kind === 'import-statement' && external !== true);
      return [join(root, path), {entryPoint, exports, imports: loaded.map(({path: imported}) => join(root, imported))}];
    }),
  );
  const headless = withImports(HEADLESS, outputs);
  const screen = withImports(SCREEN, outputs);
  const session = withImports(SESSION, outputs);
  const core = headless.intersection(screen);
  const folder = dirname([...core].find((path) => basename(dirname(path)) === 'chunks') ?? '');
  const pointing = new Set<string>();
  // In this order: the later ones are built from the names that point into the earlier ones.
  for (const [name, joined] of [
    ['core.js', core],
    ['headless.js', headless.difference(core)],
    ['screen.js', screen.difference(core)],
    ['session.js', session.difference(headless).difference(screen)],
  ] as const) {
    await joinFiles(join(folder, name), {joined, pointing, outputs, banner});
    for (const path of joined) pointing.add(path);
  }
}

type Paths = ReadonlySet<string>;
type Outputs = ReadonlyMap<
  string,
  {readonly entryPoint: string | undefined; readonly exports: readonly string[]; readonly imports: readonly string[]}
>;

/** The chunks of some sources, with all that they import at once. */
function withImports(sources: readonly string[], outputs: Outputs): Paths {
  const found = new Set(
    [...outputs].filter(([, {entryPoint}]) => entryPoint !== undefined && sources.includes(entryPoint)).map(([path]) => path),
  );
  // A set goes on to what is added while it is walked through.
  for (const path of found) for (const imported of outputs.get(path)?.imports ?? []) found.add(imported);
  return found;
}

interface Joining {
  readonly joined: Paths;
  /** Files that were joined before: names that point into what is loaded by then. */
  readonly pointing: Paths;
  readonly outputs: Outputs;
  readonly banner: string;
}

async function joinFiles(file: string, {joined, pointing, outputs, banner}: Joining): Promise<void> {
  const folder = dirname(file);
  const named = [...joined].map((path, at) => ({
    path,
    names: (outputs.get(path)?.exports ?? []).map((name) => [name, `_${at}_${name}`] as const),
  }));
  const contents = named
    .map(({path, names}) => `export {${names.map(([name, unique]) => `${name} as ${unique}`).join(', ')}} from ${JSON.stringify(path)};`)
    .join('\n');
  await build({
    stdin: {contents, resolveDir: folder},
    outfile: file,
    bundle: true,
    format: 'esm',
    minify: true,
    platform: 'node',
    target: 'node24',
    logLevel: 'warning',
    plugins: [outside({joined, pointing}, folder), withoutBanner(banner)],
  });
  for (const {path, names} of named) {
    const from = JSON.stringify(`./${relative(dirname(path), file)}`);
    writeFileSync(path, `export {${names.map(([name, unique]) => `${unique} as ${name}`).join(', ')}} from ${from};\n`);
  }
}

/** What is not joined stays a file of its own, and what is loaded later stays so. */
function outside({joined, pointing}: Pick<Joining, 'joined' | 'pointing'>, folder: string): Plugin {
  return {
    name: 'outside',
    setup({onResolve}) {
      onResolve({filter: /.*/}, ({path, resolveDir, kind}) => {
        const file = path.startsWith('.') ? join(resolveDir, path) : path;
        if (joined.has(file) || (kind !== 'dynamic-import' && pointing.has(file))) return {path: file};
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
