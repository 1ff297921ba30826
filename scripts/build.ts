// Writes the publishable package to dist/: one bundle per entry point with shared chunks, type declarations, the launcher, the demo.
import {spawnSync} from 'node:child_process';
import {chmodSync, cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {build} from 'esbuild';

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
/** Built beside the last build, which stays until the new one is whole. */
const OUT = join(ROOT, 'node_modules/.fettle-build');
const workspace = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const LICENSE_FILES = ['README.md', 'LICENSE', 'CHANGELOG.md'];

const ENTRIES = {
  cli: 'src/hosts/cli/main.ts',
  index: 'src/sdk/index.ts',
  protocol: 'src/protocol/index.ts',
  tools: 'src/tools/index.ts',
  testing: 'src/testing/index.ts',
};

rmSync(OUT, {recursive: true, force: true});
mkdirSync(join(OUT, 'bin'), {recursive: true});
await bundle();
declarations();
writeLauncher();
cpSync(join(ROOT, 'examples/demo'), join(OUT, 'demo'), {recursive: true});
for (const file of LICENSE_FILES) cpSync(join(ROOT, file), join(OUT, file));
writeManifest();
rmSync(DIST, {recursive: true, force: true});
renameSync(OUT, DIST);

async function bundle(): Promise<void> {
  await build({
    entryPoints: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, join(ROOT, file)])),
    outdir: join(OUT, 'lib'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    minify: true,
    keepNames: false,
    legalComments: 'linked',
    external: ['@vscode/ripgrep'],
    define: {__FETTLE_VERSION__: JSON.stringify(workspace.version)},
    chunkNames: 'chunks/[name]-[hash]',
    // Bundled CommonJS packages may ask for `require` of a built-in module.
    banner: {js: "import {createRequire as __createRequire} from 'node:module';const require=__createRequire(import.meta.url);"},
    logLevel: 'warning',
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
      './package.json': './package.json',
    },
    dependencies: workspace.dependencies,
    devDependencies: {},
  };
  writeFileSync(join(OUT, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
