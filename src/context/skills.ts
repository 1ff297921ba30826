import {readdir, realpath, stat} from 'node:fs/promises';
import {isAbsolute, join, relative, sep} from 'node:path';
import {toFettleError} from '../base/errors.ts';
import type {Skill} from '../tools/ports/skill.ts';
import {readTextFile} from '../workspace/read-file.ts';

export interface SkillFolders {
  /** Absolute, strong to weak. */
  readonly userFolders: readonly string[];
  /** The folders of a project; links must not lead out of it. Read only if the project is trusted. */
  readonly projectFolders: readonly string[];
  readonly trusted: boolean;
  /** The trusted text of a SKILL.md of the project, whatever the file contains by now; undefined: not trusted. Absent: the file is read. */
  readonly trustedText?: ((file: string) => string | undefined) | undefined;
}

export interface FoundSkills {
  /** By name; the first of a name counts, those of the user before those of a project. */
  readonly skills: readonly Skill[];
  /** Problems to report to the user, one line each. */
  readonly problems: readonly string[];
}

const MAX_SKILLS = 100;
const MAX_BYTES = 256 * 1024;
/** Most entries of one folder. */
const MAX_ENTRIES = 1000;

/**
 * Finds the skills of these folders (agentskills.io): each folder with a SKILL.md whose front matter has a name and a description. One that
 * cannot be used is a problem and stops nothing. Folders that do not exist are not problem. Reads nothing of an untrusted project.
 */
export async function discoverSkills({userFolders, projectFolders, trusted, trustedText}: SkillFolders): Promise<FoundSkills> {
  const places = [
    ...userFolders.map((folder) => ({folder, isProject: false})),
    ...(trusted ? projectFolders.map((folder) => ({folder, isProject: true, trustedText})) : []),
  ];
  const found = new Map<string, Skill>();
  const problems: string[] = [];
  for (const place of places) {
    for (const name of await foldersIn(place.folder)) {
      if (found.size >= MAX_SKILLS)
        return {skills: [...found.values()], problems: [...problems, `${place.folder}: only the first ${MAX_SKILLS} skills are used`]};
      const read = await readSkill(join(place.folder, name), place);
      if (read === undefined) continue;
      problems.push(...read.problems.map((problem) => `${join(place.folder, name)}: ${problem}`));
      if (read.skill === undefined) continue;
      const first = found.get(read.skill.name);
      if (first === undefined) found.set(read.skill.name, read.skill);
      else problems.push(`${read.skill.folder}: not used: ${first.folder} has a skill of the same name`);
    }
  }
  return {skills: [...found.values()], problems};
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, {withFileTypes: true}).catch(() => []);
  return entries
    .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .map(({name}) => name)
    .sort()
    .slice(0, MAX_ENTRIES);
}

interface ReadSkill {
  readonly skill: Skill | undefined;
  readonly problems: readonly string[];
}

interface SkillPlace {
  readonly folder: string;
  readonly isProject: boolean;
  readonly trustedText?: SkillFolders['trustedText'];
}

/** undefined: without a SKILL.md it is not a skill. */
async function readSkill(folder: string, place: SkillPlace): Promise<ReadSkill | undefined> {
  const named = join(folder, 'SKILL.md');
  const isThere = await stat(named).then(
    (stats) => stats.isFile(),
    () => false,
  );
  if (!isThere) return undefined;
  try {
    const file = await realpath(named);
    if (place.isProject && !isInside(await realpath(place.folder), file)) return LEADS_OUT;
    const kept = place.trustedText?.(named);
    if (place.trustedText !== undefined && kept === undefined) return NOT_TRUSTED;
    const text = kept ?? (await readTextFile(file, {maxBytes: MAX_BYTES}, new AbortController().signal)).text;
    const {skillFacts} = await import('./skill-facts.ts');
    const {facts, problems} = skillFacts(text, folder);
    return {skill: facts === undefined ? undefined : {...facts, file, folder, text: kept}, problems};
  } catch (thrown) {
    return {skill: undefined, problems: [`not used: ${toFettleError(thrown).message}`]};
  }
}

const LEADS_OUT: ReadSkill = {skill: undefined, problems: ['not used: a link that leads out of the folder']};

const NOT_TRUSTED: ReadSkill = {skill: undefined, problems: ['not used: it is not part of what you trusted']};

function isInside(folder: string, file: string): boolean {
  const below = relative(folder, file);
  return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}
