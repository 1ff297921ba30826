import {readdir, readFile, stat} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {systemErrorCode} from '../../base/errors.ts';
import {BUILT_IN_PROFILES} from '../../agent/delegation/built-in-profiles.ts';
import type {Profile, SubagentProfile} from '../../agent/delegation/profile.ts';
import {trustItemText} from '../../config/trust/trust-item.ts';
import type {ProfileFile} from '../../agent/delegation/profile-file.ts';
import {toolFolders} from './load-settings.ts';
import type {SessionSettings} from './session-settings.ts';

export interface SessionProfiles {
  readonly profiles: readonly Profile[];
  /** Profiles from files. */
  readonly own: readonly SubagentProfile[];
  /** Problems to report to the user, one line each. */
  readonly problems: readonly string[];
}

type Place = Pick<SessionSettings, 'paths' | 'trusted' | 'trust' | 'home' | 'settings'>;

/**
 * The profiles of subagents: those of the person (`agents/*.md` in the folder of the configuration), of a
 * trusted project (`.fettle/agents/*.md`: the bytes that were digested), and the built-in ones. The first
 * profile of a name counts, in this order; only a person can replace a built-in one. A file that cannot be used
 * is reported in a line, and stops nothing.
 */
export async function sessionProfiles(place: Place): Promise<SessionProfiles> {
  const files = [...(await personalFiles(join(place.paths.configDir, 'agents'))), ...projectFiles(place)];
  if (files.length === 0) return {profiles: BUILT_IN_PROFILES, own: [], problems: []};
  const {readProfile} = await import('../../agent/delegation/profile-file.ts');
  const found = new Map<string, {profile: SubagentProfile; path: string}>();
  const problems: string[] = [];
  for (const {path, text, isProject} of files) {
    if (found.size >= MOST_PROFILES) {
      problems.push(`${path}: not used: ${MOST_PROFILES} profiles are enough`);
      break;
    }
    const read =
      text === undefined ? {profile: undefined, problems: [`${path}: not used: it cannot be read`], mentions: []} : readProfile(text, path);
    problems.push(...read.problems);
    if (read.profile === undefined) continue;
    const unknown = await unknownTools(read, place);
    problems.push(...unknown.lines);
    if (!unknown.usable) continue;
    const {name} = read.profile;
    const first = found.get(name)?.path ?? (isReserved(name, isProject) ? 'Fettle itself' : undefined);
    if (first === undefined) found.set(name, {profile: read.profile, path});
    else problems.push(`${path}: not used: ${first} has a profile of the name ${name}`);
  }
  const own = [...found.values()].map(({profile}) => profile);
  return {profiles: [...BUILT_IN_PROFILES.filter(({name}) => !found.has(name)), ...own], own, problems};
}

/** A profile that forbids an unknown tool is not used: its intention is unclear. */
async function unknownTools({mentions = []}: ProfileFile, place: Place): Promise<{lines: readonly string[]; usable: boolean}> {
  if (mentions.length === 0) return {lines: [], usable: true};
  const {checkToolNames} = await import('./check-tool-names.ts');
  const {problems, warnings} = await checkToolNames(mentions, toolFolders(place, place.settings.tool_paths));
  return {lines: [...problems.map((problem) => `${problem}; the profile is not used`), ...warnings], usable: problems.length === 0};
}

const MOST_PROFILES = 64;
const MOST_BYTES = 256 * 1024;

function isReserved(name: string, isProject: boolean): boolean {
  const builtIn = BUILT_IN_PROFILES.find((profile) => profile.name === name);
  return builtIn !== undefined && (isProject || !builtIn.isSubagent);
}

interface ProfileText {
  readonly path: string;
  /** The text of the file; undefined if it is too large, or not a file. */
  readonly text: string | undefined;
  readonly isProject: boolean;
}

async function personalFiles(folder: string): Promise<ProfileText[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemErrorCode(error) === undefined) throw error;
    return [];
  });
  const paths = names
    .filter(isProfileFile)
    .sort()
    .map((name) => join(folder, name));
  return await Promise.all(
    paths.map(async (path) => {
      const stats = await stat(path).catch(() => undefined);
      const isFile = stats?.isFile() === true && stats.size <= MOST_BYTES;
      return {path, text: isFile ? await readFile(path, 'utf8').catch(() => undefined) : undefined, isProject: false};
    }),
  );
}

function projectFiles({trusted, trust: {root, items}}: Place): ProfileText[] {
  if (!trusted) return [];
  return items
    .filter(({kind, path}) => kind === 'agent' && isProfileFile(basename(path)))
    .map((item) => ({
      path: join(root, item.path),
      text: item.bytes.length <= MOST_BYTES ? trustItemText(item) : undefined,
      isProject: true,
    }));
}

function isProfileFile(name: string): boolean {
  return name.endsWith('.md') && !name.startsWith('_') && !name.startsWith('.') && name !== 'README.md';
}
