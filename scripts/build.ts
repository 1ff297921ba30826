// Writes the publishable package to dist/: one bundle per entry point with shared chunks, type declarations, the launcher, the demo.
import {spawnSync} from 'node:child_process';
import {chmodSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {build} from 'esbuild';
import {LANGUAGES} from '../src/code/languages/all.ts';
import {builtinModules} from './builtin-modules.ts';
import {joinStartup} from './join-startup.ts';
import {zodApart} from './zod-apart.ts';
import {withoutZodLocales} from './zod-locales.ts';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
/** Built beside the last build, which stays until the new one is whole. */
const OUT = join(ROOT, 'node_modules/.fettle-build');
const workspace = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** Packages that people install themselves for one feature; nothing else loads them. */
const OPTIONAL = ['pg-boss'];
const LICENSE_FILES = ['README.md', 'LICENSE', 'CHANGELOG.md'];

const ENTRIES = {
  cli: 'src/hosts/cli/main.ts',
  index: 'src/sdk/index.ts',
  tools: 'src/tools/index.ts',
  testing: 'src/testing/index.ts',
  'code-index': 'src/code/index/index-process.ts',
};

const BANNER = "const require=process.getBuiltinModule('node:module').createRequire(import.meta.url);";

rmSync(OUT, {recursive: true, force: true});
mkdirSync(join(OUT, 'bin'), {recursive: true});
await bundle();
declarations();
writeLauncher();
copyGrammars();
cpSync(join(ROOT, 'examples/demo'), join(OUT, 'demo'), {recursive: true});
for (const file of LICENSE_FILES) cpSync(join(ROOT, file), join(OUT, file));
writeManifest();
rmSync(DIST, {recursive: true, force: true});
renameSync(OUT, DIST);

async function bundle(): Promise<void> {
  const common = {
    bundle: true,
    format: 'esm',
    minify: true,
    legalComments: 'linked',
    logLevel: 'warning',
    // Else each of them would become a call that is made at the start, used or not.
    supported: {'regexp-unicode-property-escapes': true},
  } as const;
  const {metafile} = await build({
    ...common,
    metafile: true,
    absWorkingDir: ROOT,
    entryPoints: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, join(ROOT, file)])),
    outdir: join(OUT, 'lib'),
    splitting: true,
    platform: 'node',
    target: 'node24',
    external: [...Object.keys(workspace.dependencies), ...OPTIONAL],
    plugins: [withoutZodLocales, zodApart, builtinModules],
    define: {__FETTLE_VERSION__: JSON.stringify(workspace.version)},
    chunkNames: 'chunks/[name]-[hash]',
    // Its main file loads its parts in a way that a bundler cannot follow.
    alias: {'jsonc-parser': join(ROOT, 'node_modules/jsonc-parser/lib/esm/main.js')},
    // Bundled CommonJS packages may ask for `require` of a built-in module.
    banner: {js: BANNER},
  });
  // Shares no chunk with the agent: the chunk that a start needs has all of it.
  await build({
    ...common,
    entryPoints: {tui: join(ROOT, 'src/hosts/tui/index.ts')},
    outdir: join(OUT, 'lib'),
    splitting: true,
    platform: 'node',
    target: 'node24',
    chunkNames: 'tui/[name]-[hash]',
    plugins: [builtinModules],
    banner: {js: BANNER},
  });
  // Shares no chunk either: its processes stay in memory.
  await build({
    ...common,
    entryPoints: {schedule: join(ROOT, 'src/hosts/cli/schedule-process.ts')},
    outdir: join(OUT, 'lib'),
    splitting: true,
    platform: 'node',
    target: 'node24',
    external: Object.keys(workspace.dependencies),
    plugins: [withoutZodLocales, zodApart, builtinModules],
    define: {__FETTLE_VERSION__: JSON.stringify(workspace.version)},
    chunkNames: 'schedule/[name]-[hash]',
    banner: {js: BANNER},
  });
  await joinStartup({metafile, root: ROOT, banner: BANNER});
  // Runs anywhere, also in a browser: nothing of Node, no chunk shared with what needs Node.
  await build({
    ...common,
    entryPoints: [join(ROOT, 'src/protocol/index.ts')],
    outfile: join(OUT, 'lib/protocol.js'),
    platform: 'neutral',
    target: 'es2022',
  });
}

function declarations(): void {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const options = [
    '--noEmit',
    'false',
    '--declaration',
    '--emitDeclarationOnly',
    '--outDir',
    join(OUT, 'types'),
    '--rootDir',
    join(ROOT, 'src'),
  ];
  const done = spawnSync(process.execPath, [tsc, '-p', join(ROOT, 'tsconfig.build.json'), ...options], {stdio: ['ignore', 2, 2]});
  if (done.status !== 0) process.exit(done.status ?? 1);
}

/** The parsers beside the bundle: each is loaded when the first file of its language is read. */
function copyGrammars(): void {
  const target = join(OUT, 'lib/grammars');
  mkdirSync(target, {recursive: true});
  for (const grammar of new Set(LANGUAGES.map((language) => language.grammar))) {
    const file = `tree-sitter-${grammar}.wasm`;
    cpSync(join(ROOT, 'node_modules/tree-sitter-wasm/out', grammar, file), join(target, file));
  }
  cpSync(join(ROOT, 'node_modules/web-tree-sitter/web-tree-sitter.wasm'), join(target, 'web-tree-sitter.wasm'));
  for (const name of ['web-tree-sitter', 'tree-sitter-wasm'])
    cpSync(join(ROOT, 'node_modules', name, 'LICENSE'), join(target, `LICENSE.${name}`));
}

function writeLauncher(): void {
  const source = readFileSync(join(ROOT, 'src/hosts/cli/launcher.cjs'), 'utf8').replace(
    '__FETTLE_VERSION__',
    JSON.stringify(workspace.version),
  );
  writeFileSync(join(OUT, 'bin/fettle.cjs'), source);
  chmodSync(join(OUT, 'bin/fettle.cjs'), 0o755);
}

/** Written last: its time tells whether the build is newer than the sources. */
function writeManifest(): void {
  const entry = (name: string, types: string): object => ({types: `./types/${types}`, default: `./lib/${name}.js`});
  const manifest = {
    name: 'fettle',
    version: workspace.version,
    description: workspace.description,
    license: workspace.license,
    type: 'module',
    engines: {node: '>=24.15.0'},
    bin: {fettle: 'bin/fettle.cjs'},
    exports: {
      '.': entry('index', 'sdk/index.d.ts'),
      './protocol': entry('protocol', 'protocol/index.d.ts'),
      './tools': entry('tools', 'tools/index.d.ts'),
      './testing': entry('testing', 'testing/index.d.ts'),
      './tui': entry('tui', 'hosts/tui/index.d.ts'),
      './package.json': './package.json',
    },
    // zod: the declarations name its types, and tools are defined with its schemas.
    dependencies: {...workspace.dependencies, zod: workspace.devDependencies.zod},
    peerDependencies: Object.fromEntries(OPTIONAL.map((name) => [name, workspace.devDependencies[name]])),
    peerDependenciesMeta: Object.fromEntries(OPTIONAL.map((name) => [name, {optional: true}])),
  };
  writeFileSync(join(OUT, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
