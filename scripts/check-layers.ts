// The layers of ARCHITECTURE.md: a folder of src/ imports only folders with a lower number, and itself; rooms of one folder that are apart
// do not look at each other.
import {existsSync} from 'node:fs';
import {join, posix} from 'node:path';
import {readSpecifiers, targetOf, type Specifiers} from './source-imports.ts';

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
  optimization: 7,
  schedule: 8,
  lab: 8,
  sdk: 9,
  hosts: 10,
};

/** What a room knows nothing of, among the rooms of its folder; types count. */
const APART: Readonly<Record<string, readonly string[]>> = {
  // Only `evaluate` knows all: a line is read, its programs are known, its risks named, before any rule is looked at.
  'policy/places': ['shell', 'programs', 'risks', 'rules', 'read-only', 'evaluate'],
  'policy/shell': ['places', 'risks', 'rules', 'read-only', 'evaluate'],
  'policy/programs': ['rules', 'read-only', 'evaluate'],
  'policy/risks': ['places', 'rules', 'read-only', 'evaluate'],
  'policy/read-only': ['rules', 'evaluate'],
  'policy/rules': ['read-only', 'evaluate'],
  // Output and variables are the same with a sandbox and without.
  'exec/capture': ['sandbox', 'terminal'],
  'exec/variables': ['process', 'capture', 'sandbox', 'terminal'],
  'exec/sandbox': ['process', 'capture', 'terminal'],
  // No wire format knows another, and what they are sent with knows none.
  'models/anthropic': ['openai', 'gemini', 'scripted', 'thinking'],
  'models/gemini': ['openai', 'anthropic', 'scripted', 'thinking'],
  'models/openai': ['anthropic', 'gemini', 'scripted', 'thinking'],
  'models/http': ['openai', 'anthropic', 'gemini', 'scripted', 'thinking'],
  'workspace/ignore': ['checkpoints'],
  'sessions/resume': ['export', 'replay'],
  'search/glob': ['ripgrep', 'rust-regex'],
  // What is done knows neither how it is named nor who lets it run.
  'tools/ports': ['operations', 'dispatch', 'toolsets', 'compat', 'custom', 'shells', 'web'],
  'tools/arguments': ['operations', 'dispatch', 'toolsets', 'compat', 'custom'],
  'tools/shells': ['operations', 'dispatch', 'toolsets', 'compat', 'custom'],
  'tools/operations': ['dispatch', 'toolsets', 'compat', 'custom'],
  'tools/compat': ['operations', 'toolsets', 'custom'],
  'tools/dispatch': ['custom', 'shells', 'web'],
  'mcp/oauth': ['tools', 'trust'],
  'mcp/tools': ['oauth', 'trust'],
  'context/compaction': ['instructions', 'commands'],
  'agent/replies': ['continuation', 'delegation', 'guards', 'hooks', 'orchestration', 'verification'],
  'agent/delegation': ['continuation', 'hooks', 'orchestration', 'verification'],
  // A thread is put together from the others, which do not know that there is one.
  // The order of a thread knows none of those that it orders.
  'sdk/plugins': ['thread', 'subagents', 'tools', 'hooks', 'settings', 'trust', 'traces', 'undo', 'verification', 'replay'],
  'sdk/settings': ['thread', 'subagents', 'tools', 'traces', 'undo', 'verification', 'replay'],
  'sdk/trust': ['thread', 'subagents', 'tools', 'hooks', 'traces', 'undo', 'verification', 'replay'],
  'sdk/tools': ['thread', 'subagents', 'hooks', 'traces', 'undo', 'replay'],
  'sdk/hooks': ['thread', 'subagents', 'traces', 'undo', 'verification', 'replay'],
  'sdk/traces': ['thread', 'subagents', 'tools', 'hooks', 'undo', 'verification', 'replay'],
  'sdk/undo': ['thread', 'subagents', 'tools', 'hooks', 'traces', 'verification', 'replay'],
  // The screen is one for any agent.
  'hosts/tui/cells': ['editor', 'keys', 'model', 'views', 'pager', 'surface', 'terminal', 'runner', 'themes', 'fettle'],
  'hosts/tui/themes': ['editor', 'keys', 'model', 'views', 'pager', 'surface', 'terminal', 'runner', 'fettle'],
  // What changes the screen knows no rows of it.
  'hosts/tui/editor': ['views', 'pager', 'surface', 'terminal', 'runner', 'themes', 'fettle'],
  'hosts/tui/keys': ['views', 'pager', 'surface', 'terminal', 'runner', 'fettle'],
  'hosts/tui/model': ['views', 'pager', 'terminal', 'runner', 'fettle'],
  'hosts/tui/views': ['pager', 'terminal', 'runner', 'fettle'],
  // Bytes know neither the state nor what makes rows of it; the terminal is there before any surface.
  'hosts/tui/surface': ['keys', 'model', 'views', 'pager', 'runner', 'fettle'],
  'hosts/tui/terminal': ['model', 'views', 'pager', 'surface', 'runner', 'fettle'],
  'hosts/tui/runner': ['fettle'],
  'hosts/cli/chat': ['command-line', 'commands'],
  'hosts/cli/code-index': ['command-line', 'commands', 'chat'],
  'hosts/cli/output': ['commands', 'chat', 'trust'],
};

/** Returns a line for each import that goes up, to a neighbour, or into a room that is apart. */
export function layerProblems(specifiers: Specifiers): readonly string[] {
  return [...specifiers].flatMap(([file, found]) => found.flatMap((specifier) => judge(file, specifier)));
}

function judge(file: string, specifier: string): string[] {
  const from = folderOf(file);
  if (specifier.startsWith('node:')) return from === 'protocol' ? [`${file}: protocol runs anywhere and imports no ${specifier}`] : [];
  const target = targetOf(file, specifier);
  const to = folderOf(target);
  if (from === to) return [...judgeHost(file, target), ...judgeRoom(file, target)].map((text) => `${file}: ${text} (${specifier})`);
  // testing/ is a published leaf: it may use what it fakes, nothing may use it.
  if (from === 'testing') return (LAYER[to] ?? 99) <= 3 ? [] : [`${file}: testing may import layers 0 to 3 only (${specifier})`];
  const [a, b] = [LAYER[from], LAYER[to]];
  if (a === undefined || b === undefined) return [`${file}: no layer is given for ${a === undefined ? from : to} (${specifier})`];
  return b < a ? [] : [`${file}: ${from} (${a}) may not import ${to} (${b})`];
}

function folderOf(file: string): string {
  return file.split('/', 1)[0] ?? '';
}

/** A host imports no other; only the command named for a host starts it (`cli/commands/mcp.ts` the host `mcp`). */
function judgeHost(file: string, target: string): string[] {
  const host = hostOf(target);
  return host === hostOf(file) || file === `hosts/cli/commands/${host}.ts` ? [] : ['one host imports another'];
}

function hostOf(file: string): string {
  return folderOf(file) === 'hosts' ? (file.split('/')[1] ?? '') : '';
}

function judgeRoom(file: string, target: string): string[] {
  return Object.entries(APART).flatMap(([room, others]) => {
    const other = file.startsWith(`${room}/`) ? others.find((name) => target.startsWith(`${posix.dirname(room)}/${name}/`)) : undefined;
    return other === undefined ? [] : [`${room} knows nothing of ${other}`];
  });
}

/** The rooms that the table names: a folder that was renamed leaves no rule behind that holds for nothing. */
function namedRooms(): readonly string[] {
  return Object.entries(APART).flatMap(([room, others]) => [room, ...others.map((name) => `${posix.dirname(room)}/${name}`)]);
}

if (import.meta.main) {
  const src = join(import.meta.dirname, '../src');
  const gone = new Set(namedRooms().filter((room) => !existsSync(join(src, room))));
  const problems = [...layerProblems(readSpecifiers(src)), ...[...gone].map((room) => `${room}: is named as a room and does not exist`)];
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
