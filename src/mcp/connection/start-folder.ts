import {existsSync, mkdirSync} from 'node:fs';
import {basename, join, relative, resolve, sep} from 'node:path';
import type {McpServer} from '../../config/settings.ts';
import {programsNamed} from '../../exec/variables/path-variable.ts';
import type {ServerPlace} from './server-place.ts';

/**
 * Returns the folder in which a stdio server starts: its `cwd`, else the workspace. A package runner starts in an empty folder unless `cwd`
 * says otherwise: `npx tracker-mcp` would take `node_modules/.bin/tracker-mcp` or the registry of an `.npmrc` of an untrusted repository for the
 * intended package, and `python -m` its modules.
 */
export function startFolder({command = '', args = [], cwd}: McpServer, place: Pick<ServerPlace, 'cwd' | 'stateDir'>): string {
  if (cwd !== undefined || !fetchesPackages(command, args)) return resolve(place.cwd, cwd ?? '.');
  const empty = join(place.stateDir, 'mcp-start');
  mkdirSync(empty, {recursive: true, mode: 0o700});
  return empty;
}

function fetchesPackages(command: string, args: readonly string[]): boolean {
  const program = basename(command.replaceAll('\\', '/'))
    .toLowerCase()
    .replace(/\.(?:cmd|exe|ps1|bat)$/, '');
  if (['npx', 'bunx', 'pnpx', 'uvx'].includes(program)) return true;
  if (/^python[\d.]*$/.test(program)) return args.some((arg) => /^-[a-zA-Z]*m/.test(arg));
  const [first = '', second = ''] = args.filter((arg) => !arg.startsWith('-'));
  const wanted = RUNNERS[program] ?? [];
  return wanted.includes(first) || wanted.includes(`${first} ${second}`);
}

const RUNNERS: Readonly<Record<string, readonly string[]>> = {
  npm: ['exec', 'x'],
  pnpm: ['dlx', 'exec'],
  yarn: ['dlx', 'exec'],
  bun: ['x'],
  uv: ['tool run'],
  pipx: ['run'],
};

/**
 * Returns true if the program of a server is in the workspace. There the model may have changed it since the server was started, and servers
 * run outside the sandbox: such a server is not restarted automatically.
 */
export function runsFromFolder(server: McpServer, place: Pick<ServerPlace, 'cwd' | 'env'>): boolean {
  if (server.transport !== 'stdio') return false;
  const {command = '', args = [], cwd} = server;
  if (cwd !== undefined && isBelow(resolve(place.cwd, cwd), place.cwd)) return true;
  const words = [command, ...args.flatMap((arg) => [arg, arg.slice(arg.indexOf('=') + 1)])].map((word) => resolve(place.cwd, word));
  const programs = /[/\\]/.test(command) ? [] : programsNamed(command, place.env['PATH'] ?? '');
  return [...words, ...programs].some((path) => path !== place.cwd && isBelow(path, place.cwd) && existsSync(path));
}

function isBelow(path: string, folder: string): boolean {
  const below = relative(folder, path);
  return below === '' || (below !== '..' && !below.startsWith(`..${sep}`) && below !== path);
}
