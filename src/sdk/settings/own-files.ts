import {realpath} from 'node:fs/promises';
import {basename, dirname, join, resolve} from 'node:path';
import type {Rule} from '../../policy/decision.ts';
import type {SessionSettings} from './session-settings.ts';

/**
 * Rules for what Fettle itself loads, runs or remembers: its configuration, its state and the tools of the user, wherever they are, whether
 * they exist or not. Every mode asks before writing there: an agent must not widen its own permissions (CVE-2025-53773, CVE-2026-25725).
 */
export async function ownFileRules({settings, paths, home}: SessionSettings): Promise<Rule[]> {
  const named = [
    ...AUTOLOADED.map((name) => join(paths.configDir, name)),
    ...REMEMBERED.map((name) => join(paths.stateDir, name)),
    ...settings.tool_paths.map((path) => withHome(path, home)),
  ];
  const real = await Promise.all(named.map(realName));
  return [...new Set([...named, ...real])].flatMap((path): Rule[] =>
    [path, `${path}/*`].map((pattern) => ({text: `write:${pattern}`, effect: 'ask', source: 'default'})),
  );
}

/** In the folder of settings. */
const AUTOLOADED = [
  'config.toml',
  'permissions.toml',
  'tools',
  'middleware',
  'hooks.json',
  'agents',
  'commands',
  'rules',
  'skills',
  'AGENTS.md',
  'schedule',
  'schedule.env',
];
/** Names in the state folder. Not the whole folder: worktrees of subagents are there, too. */
const REMEMBERED = [
  'trust',
  'sessions',
  'checkpoints',
  'mcp-known',
  'mcp-logins',
  'mcp-turns',
  'sandbox',
  'schedule',
  'optimization',
  'lab',
];

/** Replaces `~` by the home folder. */
export function withHome(path: string, home: string): string {
  return resolve(path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : path);
}

/** Resolves links in the part of the path that exists. */
async function realName(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realName(parent), basename(path));
  }
}
