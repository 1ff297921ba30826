import {isJsonObject, parseJson, type JsonObject} from '../../base/json.ts';
import {isPlainName, type FactFiles, type Facts, type NamedCommand} from './fact-files.ts';

/** Reads facts from package.json, its lock file and tsconfig.json. */
export async function nodeFacts(files: FactFiles, names: readonly string[]): Promise<Facts> {
  const parsed = names.includes('package.json') ? parseJson((await files.text('package.json')) ?? '') : undefined;
  if (!isJsonObject(parsed)) return {commands: [], conventions: []};
  const manager = managerOf(parsed, names);
  const scripts = scriptsOf(parsed).map((script): NamedCommand => ({what: LABELS[script] ?? script, command: RUN[manager](script)}));
  return {
    commands: [{what: 'Install', command: INSTALL[manager](names)}, ...scripts],
    conventions: [`Packages: ${manager}.`, ...modulesOf(parsed), ...(await typescriptOf(files, names))],
  };
}

type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

function managerOf({packageManager}: JsonObject, names: readonly string[]): PackageManager {
  const named = typeof packageManager === 'string' ? /^(npm|pnpm|yarn|bun)@/.exec(packageManager)?.[1] : undefined;
  if (named !== undefined) return named as PackageManager;
  if (names.includes('pnpm-lock.yaml')) return 'pnpm';
  if (names.includes('yarn.lock')) return 'yarn';
  return names.some((name) => name === 'bun.lock' || name === 'bun.lockb') ? 'bun' : 'npm';
}

const INSTALL: Readonly<Record<PackageManager, (names: readonly string[]) => string>> = {
  npm: (names) => (names.includes('package-lock.json') ? 'npm ci' : 'npm install'),
  pnpm: () => 'pnpm install',
  yarn: () => 'yarn install',
  bun: () => 'bun install',
};

const RUN: Readonly<Record<PackageManager, (script: string) => string>> = {
  npm: (script) => (script === 'test' || script === 'start' ? `npm ${script}` : `npm run ${script}`),
  pnpm: (script) => `pnpm run ${script}`,
  yarn: (script) => `yarn run ${script}`,
  bun: (script) => `bun run ${script}`,
};

/** Those that people type, the checks first; not those that npm runs by itself. */
function scriptsOf({scripts}: JsonObject): string[] {
  if (!isJsonObject(scripts)) return [];
  const names = Object.entries(scripts)
    .filter(([name, line]) => isPlainName(name) && typeof line === 'string' && !/no test specified/.test(line))
    .map(([name]) => name)
    .filter((name) => !/^(?:pre|post)[a-z]|^(?:prepare|install|publish|version)$/.test(name));
  const rank = (name: string): number => {
    const at = ORDER.findIndex((word) => name === word || name.startsWith(`${word}:`));
    return at < 0 ? ORDER.length : at;
  };
  return names.sort((a, b) => rank(a) - rank(b)).slice(0, MOST_SCRIPTS);
}

const ORDER = ['test', 'lint', 'typecheck', 'check', 'build', 'format', 'dev', 'start'];
const MOST_SCRIPTS = 12;
const LABELS: Readonly<Record<string, string>> = {
  test: 'Test',
  lint: 'Lint',
  typecheck: 'Types',
  check: 'Check',
  build: 'Build',
  format: 'Format',
  dev: 'Develop',
  start: 'Start',
};

function modulesOf({type, workspaces, engines}: JsonObject): string[] {
  const node = isJsonObject(engines) ? engines['node'] : undefined;
  return [
    ...(type === 'module' ? ['ES modules (`"type": "module"`).'] : []),
    ...(workspaces === undefined ? [] : ['Several packages in one repository (`workspaces` in package.json).']),
    ...(typeof node === 'string' && /^[\w .<>=^~|*-]{1,40}$/.test(node) ? [`Node ${node}.`] : []),
  ];
}

async function typescriptOf(files: FactFiles, names: readonly string[]): Promise<string[]> {
  if (!names.includes('tsconfig.json')) return [];
  const isStrict = /"strict"\s*:\s*true/.test((await files.text('tsconfig.json')) ?? '');
  return [isStrict ? 'TypeScript, strict.' : 'TypeScript.'];
}
