import {basename} from 'node:path';
import {escapeInvisible} from '../../base/escape-invisible.ts';
import {unifiedDiff} from '../../text/diff/unified-diff.ts';
import {trustLine} from './describe-item.ts';
import type {ProjectTrust, TrustChange} from './evaluate-project.ts';
import {isChange, trustEntries} from './trust-entries.ts';
import {trustItemText, type TrustItem, type TrustKind} from './trust-item.ts';

/**
 * Returns the question for trust as lines that are safe to show: each item that would run or be loaded, with its
 * effects. For a project that was trusted before, only new, changed and removed items, with the differences.
 */
export async function trustQuestion(project: ProjectTrust): Promise<string> {
  const {changed, problems} = project;
  const entries = await trustEntries(project);
  const described = entries.flatMap(({path, change, does}) => (change === 'gone' ? [`gone: ${path}`] : does));
  const differences = isChange(project) ? await Promise.all(changed.map(differenceOf)) : [];
  const unusable = problems.map((problem) => trustLine(`never used: ${problem}`));
  return [...described, ...unusable].map((line) => `  ${line}\n`).join('') + differences.map((text) => `\n${text}`).join('');
}

/** One line about an untrusted project and the parts of it that are not used; undefined if there is nothing to report. */
export function trustNotice({root, state, items, changed, problems}: ProjectTrust): string | undefined {
  if (state === 'trusted') return problems.length === 0 ? undefined : line(root, `not used: ${problems.join('; ')}`);
  if (state === 'changed' && changed.length > 0) {
    const names = changed.map(({item, change}) => `${item.path} is ${change}`);
    return line(
      root,
      `changed since it was trusted (${few(names)}): nothing of it is used. \`fettle trust\` shows the difference and asks`,
    );
  }
  if (state === 'changed') return line(root, 'is another folder than the one that was trusted. `fettle trust` asks again');
  if (state !== 'unknown') return undefined;
  if (items.length === 0) return line(root, `cannot be trusted: ${problems.join('; ')}`);
  return line(root, `not trusted: ${few(groups(items))} not used. \`fettle trust\` shows what that is and asks`);
}

function line(root: string, text: string): string {
  return trustLine(`${root}: ${text}`);
}

function few(names: readonly string[]): string {
  return names.length <= 6 ? names.join(', ') : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`;
}

/** `2 tools, AGENTS.md`. Imported files are not mentioned. */
function groups(items: readonly TrustItem[]): string[] {
  const kinds = [...new Set(items.map(({kind}) => kind))].filter((kind) => kind !== 'import');
  return kinds.map((kind) => {
    const [first, ...others] = items.filter((item) => item.kind === kind);
    if (others.length > 0) return `${others.length + 1} ${NAMES[kind][1]}`;
    return kind === 'instructions' ? basename(first?.path ?? '') : NAMES[kind][0];
  });
}

const NAMES: Readonly<Record<TrustKind, readonly [string, string]>> = {
  config: ['settings', 'files of settings'],
  mcp: ['MCP servers', 'files of MCP servers'],
  tool: ['a tool', 'files of tools'],
  middleware: ['middleware', 'files of middleware'],
  hook: ['a hook', 'files of hooks'],
  skill: ['a skill', 'files of skills'],
  agent: ['an agent', 'agents'],
  command: ['a command', 'commands'],
  program: ['a program', 'programs'],
  git: ['git programs', 'git hooks and programs'],
  instructions: ['instructions', 'files of instructions'],
  rule: ['a rule', 'files of rules'],
  import: ['a text', 'texts that they import'],
};

async function differenceOf({item, change, before}: TrustChange): Promise<string> {
  if (change === 'changed' && before === undefined) return `${trustLine(item.path)}: the trusted text was not saved\n`;
  const difference = await unifiedDiff(before ?? '', trustItemText(item), trustLine(item.path));
  return escapeInvisible(difference.replaceAll('\r\n', '\n')).text;
}
