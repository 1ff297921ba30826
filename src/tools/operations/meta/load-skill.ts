import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import * as z from 'zod/mini';
import {FettleError} from '../../../base/errors.ts';
import {nearestWord} from '../../../base/nearest-word.ts';
import {readTextFile} from '../../../workspace/read-file.ts';
import {plainOperation} from '../../operation.ts';
import {splitFrontMatter} from './load-skill-front-matter.ts';

const MAX_FILES = 10;
const MAX_DEPTH = 3;
const MAX_BYTES = 256 * 1024;
/** Most entries of a folder; a skill is not an archive. */
const MAX_ENTRIES = 1000;
const MAX_FOLDERS = 50;

const args = z.object({name: z.string()});

const result = z.object({
  name: z.string(),
  body: z.string(),
  /** Absolute. */
  folder: z.string(),
  /** Files beside SKILL.md, relative to the folder. */
  files: z.array(z.string()),
});

export type LoadSkillArgs = z.infer<typeof args>;
export type LoadSkillResult = z.infer<typeof result>;

/**
 * Returns the instructions of a skill and its first ten other files (Mistral Vibe › skill; agentskills.io › progressive disclosure).
 * Throws UNAVAILABLE without skills, NOT_FOUND with the nearest name for an unknown one.
 */
export const loadSkill = plainOperation<LoadSkillArgs, LoadSkillResult>({
  id: 'agent.skill',
  permission: 'skill',
  args,
  result,
  sideEffect: 'read',
  subjects: async ({name}) => [{kind: 'name', name}],
  async run({name}, {skills = [], signal}) {
    if (skills.length === 0)
      throw new FettleError({code: 'UNAVAILABLE', message: 'No skills are available.', hint: 'Continue without one.'});
    const skill = skills.find((one) => one.name === name);
    if (skill === undefined) {
      const names = skills.map((one) => one.name);
      const nearest = nearestWord(name, names);
      const meant = nearest === undefined ? '' : `Did you mean ${nearest}? `;
      throw new FettleError({code: 'NOT_FOUND', message: 'No skill has this name.', hint: `${meant}Skills: ${names.join(', ')}.`});
    }
    const text = skill.text ?? (await readTextFile(skill.file, {maxBytes: MAX_BYTES}, signal)).text;
    const body = splitFrontMatter(text)?.body ?? text;
    return {name: skill.name, body, folder: skill.folder, files: await bundledFiles(skill.folder)};
  },
});

/** Returns files in the order of their names, level by level; links are not followed. */
async function bundledFiles(root: string): Promise<string[]> {
  const files: string[] = [];
  let folders = [''];
  for (let depth = 0; depth < MAX_DEPTH && files.length < MAX_FILES; depth += 1) {
    const levels = await Promise.all(folders.slice(0, MAX_FOLDERS).map((folder) => entriesIn(root, folder)));
    files.push(...levels.flatMap((level) => level.files).filter((path) => path !== 'SKILL.md'));
    folders = levels.flatMap((level) => level.folders);
  }
  return files.slice(0, MAX_FILES);
}

async function entriesIn(root: string, folder: string): Promise<{files: string[]; folders: string[]}> {
  const entries = (await readdir(join(root, folder), {withFileTypes: true}).catch(() => [])).slice(0, MAX_ENTRIES);
  const seen = entries.filter(({name}) => !name.startsWith('.') && name !== 'node_modules' && !/[\p{Cc}\p{Cf}]/u.test(name));
  const named = (kind: 'isFile' | 'isDirectory'): string[] =>
    seen
      .filter((entry) => entry[kind]())
      .map(({name}) => (folder === '' ? name : `${folder}/${name}`))
      .sort();
  return {files: named('isFile'), folders: named('isDirectory')};
}
