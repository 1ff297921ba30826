import {readFileSync, rmSync, writeFileSync} from 'node:fs';
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
const HEADLESS = [
  ...EVERY,
  'src/hosts/cli/commands/exec.ts',
  'src/models/open-provider.ts',
  'src/models/catalog.ts',
  'src/models/local-window.ts',
  'src/models/http/http-provider.ts',
  'src/models/http/http-client.ts',
  'src/models/thinking/separate-thinking.ts',
  'src/tools/toolsets/fettle/fettle.ts',
  'src/exec/capture/bounded-capture.ts',
  'src/context/memory/memory-file.ts',
];
/** What the first call of a tool loads. */
const CALLS = [
  'src/tools/dispatch/dispatcher.ts',
  'src/exec/process/run-command.ts',
  'src/search/files.ts',
  'src/search/grep-root.ts',
  ...['fs/read-file', 'fs/list-folder', 'fs/write-file', 'edit/edit-text', 'search/find-files', 'search/search-text'].map(
    (name) => `src/tools/operations/${name}.ts`,
  ),
];
/** One of these speaks to the model: what they share is loaded with the rest, and each stays a file of its own. */
const WIRES = ['openai/openai-chat', 'openai/openai-responses', 'anthropic/anthropic', 'gemini/gemini'].map(
  (name) => `src/models/${name}.ts`,
);
/** The parser of every command but a plain `exec`. */
const COMMAND_LINE = [...EVERY, 'src/hosts/cli/command-line/program.ts'];
/** What the screen loads before its first frame: the loop and the providers are loaded behind it. */
const SCREEN = [...COMMAND_LINE, 'src/hosts/cli/commands/tui.ts'];
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
 * Splitting leaves what a start needs in more than a hundred small files, and each costs a third of a millisecond. They become few: `core.js`,
 * which every start needs, what a headless run, the parser of commands, calls, the screen and the session behind it need besides.
 * All other files import from these. Of the small files those stay that are imported when they are used, as names that point into the large ones.
 */
export async function joinStartup({metafile, root, banner}: Built): Promise<void> {
  const outputs: Outputs = new Map(
    Object.entries(metafile.outputs).map(([path, {entryPoint, exports, imports}]) => {
      const loaded = imports.filter(({kind, external}) => kind === 'import-statement' && external !== true);
      return [join(root, path), {entryPoint, exports, imports: loaded.map(({path: imported}) => join(root, imported))}];
    }),
  );
  const wires = WIRES.map((source) => withImports([source], outputs));
  const headless = withImports(HEADLESS, outputs).union(inSeveral(wires));
  const calls = withImports(CALLS, outputs);
  const commandLine = withImports(COMMAND_LINE, outputs);
  const screen = withImports(SCREEN, outputs);
  const session = withImports(SESSION, outputs);
  const core = headless.intersection(screen);
  // Small, and left alone: neither the screen nor a call loads what only the other needs besides.
  const alone = calls.intersection(screen).difference(headless);
  const folder = dirname([...core].find((path) => basename(dirname(path)) === 'chunks') ?? '');
  const pointing = new Map<string, Pointer>();
  // In this order: the later ones are built from the names that point into the earlier ones.
  for (const [name, joined] of [
    ['core.js', core],
    ['headless.js', headless.difference(core)],
    ['command-line.js', commandLine.difference(core).difference(alone)],
    ['screen.js', screen.difference(core).difference(commandLine).difference(alone)],
    ['calls.js', calls.difference(headless).difference(screen)],
    ['session.js', session.difference(headless).difference(screen).difference(calls)],
  ] as const) {
    const pointers = await joinFiles(join(folder, name), {joined, pointing, outputs, banner});
    for (const [path, pointer] of pointers) pointing.set(path, pointer);
  }
  for (const path of outputs.keys()) if (path.endsWith('.js') && !pointing.has(path)) shorten(path, {pointing, banner});
  for (const path of pointing.keys()) if (outputs.get(path)?.entryPoint === undefined) rmSync(path);
}

/** Where a small file points: the name of each of its exports in the large file begins with `prefix`. */
interface Pointer {
  readonly file: string;
  readonly prefix: string;
}

/** What at least two have in common. */
function inSeveral(sets: readonly Paths[]): Paths {
  return new Set(sets.flatMap((set, at) => [...set].filter((path) => sets.some((other, index) => index !== at && other.has(path)))));
}

/** Takes what a file imports from where it is, not from the file that points there; and makes a `require` only where one is used. */
function shorten(path: string, {pointing, banner}: Pick<Joining, 'pointing' | 'banner'>): void {
  const direct = withoutNeedlessBanner(readFileSync(path, 'utf8'), banner).replaceAll(
    /\b(import|export)\s*(?:\{([^{}]*)\}\s*from\s*)?"(\.[^"]+)"/g,
    (statement, keyword: string, names: string | undefined, imported: string) => {
      const pointer = pointing.get(join(dirname(path), imported));
      if (pointer === undefined) return statement;
      const from = JSON.stringify(specifier(path, pointer.file));
      if (names === undefined) return `${keyword}${from}`;
      const renamed = names
        .split(',')
        .map((text) => text.trim())
        .map((name) => `${pointer.prefix}${/ as /.test(name) ? name : `${name} as ${name}`}`);
      return `${keyword}{${renamed.join(',')}}from${from}`;
    },
  );
  writeFileSync(path, direct);
}

function specifier(from: string, to: string): string {
  const path = relative(dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
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
  readonly pointing: ReadonlyMap<string, Pointer>;
  readonly outputs: Outputs;
  readonly banner: string;
}

/** Returns where each of the files points now. */
async function joinFiles(file: string, {joined, pointing, outputs, banner}: Joining): Promise<readonly (readonly [string, Pointer])[]> {
  const folder = dirname(file);
  const named = [...joined].map((path, at) => {
    const prefix = `_${at}_`;
    return {path, prefix, names: (outputs.get(path)?.exports ?? []).map((name) => [name, `${prefix}${name}`] as const)};
  });
  const isLoaded = (path: string): boolean => joined.has(path) || pointing.has(path);
  const late = new Set([...joined].flatMap((path) => laterImports(path, readFileSync(path, 'utf8'))).filter(isLoaded));
  const contents = [
    `import {loaded} from ${JSON.stringify(LOADED)};`,
    ...[...late].map(
      (path, at) => `import * as late${at} from ${JSON.stringify(path)};\nloaded[${JSON.stringify(basename(path))}] = late${at};`,
    ),
    ...named.map(
      ({path, names}) => `export {${names.map(([name, unique]) => `${name} as ${unique}`).join(', ')}} from ${JSON.stringify(path)};`,
    ),
  ].join('\n');
  await build({
    stdin: {contents, resolveDir: folder},
    outfile: file,
    bundle: true,
    format: 'esm',
    minify: true,
    platform: 'node',
    target: 'node24',
    logLevel: 'warning',
    supported: {'regexp-unicode-property-escapes': true},
    plugins: [outside({joined, pointing}, folder), fromLoaded(late, banner)],
  });
  for (const {path, names} of named) {
    const from = JSON.stringify(specifier(path, file));
    writeFileSync(path, `export {${names.map(([name, unique]) => `${unique} as ${name}`).join(', ')}} from ${from};\n`);
  }
  return named.map(({path, prefix}) => [path, {file, prefix}]);
}

/** What is not joined stays a file of its own, and what is loaded later stays so. */
function outside({joined, pointing}: Pick<Joining, 'joined' | 'pointing'>, folder: string): Plugin {
  return {
    name: 'outside',
    setup({onResolve}) {
      onResolve({filter: /.*/}, ({path, resolveDir, kind}) => {
        if (path === LOADED) return {path, namespace: LOADED};
        const file = path.startsWith('.') ? join(resolveDir, path) : path;
        if (joined.has(file) || (kind !== 'dynamic-import' && pointing.has(file))) return {path: file};
        return {path: path.startsWith('.') ? `./${relative(folder, file)}` : path, external: true};
      });
    },
  };
}

const LOADED = 'loaded';
const LATER = /\bimport\("(\.[^"]+)"\)/g;

function laterImports(path: string, text: string): readonly string[] {
  return [...text.matchAll(LATER)].map(([, imported = '']) => join(dirname(path), imported));
}

/**
 * What a file imports when it is used, and what is joined with it, is taken from a table that is filled as the joined file is loaded. Left to
 * the bundler, each would become a function that is compiled anew at each start, since the compile cache leaves it out.
 */
function fromLoaded(late: Paths, banner: string): Plugin {
  return {
    name: 'from-loaded',
    setup({onLoad}) {
      onLoad({filter: /.*/, namespace: LOADED}, () => ({contents: 'export const loaded = {};'}));
      onLoad({filter: /\.js$/}, ({path}) => {
        const text = withoutNeedlessBanner(readFileSync(path, 'utf8'), banner);
        if (!laterImports(path, text).some((imported) => late.has(imported))) return {contents: text, loader: 'js'};
        const taken = text.replaceAll(LATER, (call, imported: string) => {
          const target = join(dirname(path), imported);
          return late.has(target) ? `Promise.resolve(__loaded[${JSON.stringify(basename(target))}])` : call;
        });
        return {contents: `import {loaded as __loaded} from ${JSON.stringify(LOADED)};${taken}`, loader: 'js'};
      });
    },
  };
}

function withoutNeedlessBanner(text: string, banner: string): string {
  const rest = text.replace(banner, '');
  return /\brequire\b/.test(rest) ? text : rest;
}
