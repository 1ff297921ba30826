// The layers of ARCHITECTURE.md: a folder of src/ imports only folders with a lower number, and itself.
import {readdirSync, readFileSync} from 'node:fs';
import {join, relative, resolve, sep} from 'node:path';

const SRC = join(import.meta.dirname, '../src');
const LAYER: Readonly<Record<string, number>> = {
  base: 0,
  protocol: 1,
  text: 1,
  policy: 2,
  config: 2,
  exec: 2,
  workspace: 3,
  sessions: 3,
  models: 3,
  search: 4,
  code: 4,
  tools: 5,
  mcp: 6,
  context: 6,
  agent: 7,
  schedule: 8,
  lab: 8,
  sdk: 9,
  hosts: 10,
};
const IMPORT = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+|node:[^']+)'/g;

const problems = sources(SRC).flatMap((file) => [...importsOf(file)].flatMap((target) => judge(file, target)));
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

function sources(folder: string): string[] {
  return readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}

function* importsOf(file: string): Generator<string> {
  for (const [, target] of readFileSync(file, 'utf8').matchAll(IMPORT)) if (target !== undefined) yield target;
}

function judge(file: string, target: string): string[] {
  const from = room(file);
  const where = relative(SRC, file);
  if (target.startsWith('node:')) return from === 'protocol' ? [`${where}: protocol runs anywhere and imports no ${target}`] : [];
  const to = room(resolve(file, '..', target));
  if (from === to && !mayReach(file, resolve(file, '..', target))) return [`${where}: one host imports another (${target})`];
  if (from === to)
    return isBackwards(file, resolve(file, '..', target)) ? [`${where}: what changes the screen knows no rows of it (${target})`] : [];
  // testing/ is a published leaf: it may use what it fakes, nothing may use it.
  if (from === 'testing') return (LAYER[to] ?? 99) <= 3 ? [] : [`${where}: testing may import layers 0 to 3 only (${target})`];
  const [a, b] = [LAYER[from], LAYER[to]];
  if (a === undefined || b === undefined) return [`${where}: no layer is given for ${a === undefined ? from : to} (${target})`];
  return b < a ? [] : [`${where}: ${from} (${a}) may not import ${to} (${b})`];
}

function room(file: string): string {
  return relative(SRC, file).split(sep)[0] ?? '';
}

/** A host imports no other; only the command named for a host starts it (`cli/commands/mcp.ts` the host `mcp`). */
function mayReach(file: string, target: string): boolean {
  const host = hostOf(target);
  return host === hostOf(file) || relative(SRC, file) === join('hosts', 'cli', 'commands', `${host}.ts`);
}

/** The state of the screen is changed without looking at what is shown: `model` and `editor` import neither `views` nor `pager`. */
function isBackwards(file: string, target: string): boolean {
  return /^(?:model|editor|cells)$/.test(screenRoom(file)) && /^(?:views|pager)$/.test(screenRoom(target));
}

/** The room within `hosts/tui`; '' elsewhere. */
function screenRoom(file: string): string {
  const [layer, host, room = ''] = relative(SRC, file).split(sep);
  return layer === 'hosts' && host === 'tui' ? room : '';
}

function hostOf(file: string): string {
  return room(file) === 'hosts' ? (relative(SRC, file).split(sep)[1] ?? '') : '';
}
