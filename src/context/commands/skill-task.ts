import {splitFrontMatter} from '../../tools/operations/meta/load-skill-front-matter.ts';
import type {Skill} from '../../tools/ports/skill.ts';
import {readTextFile} from '../../workspace/read-file.ts';

const MOST_BYTES = 256 * 1024;

/** The task that a person starts by the name of a skill: its instructions, as the tool `skill` returns them, and the text typed after the name. */
export async function skillTask({name, file, folder, text}: Skill, typed: string, signal: AbortSignal): Promise<string> {
  const whole = text ?? (await readTextFile(file, {maxBytes: MOST_BYTES}, signal)).text;
  const body = splitFrontMatter(whole)?.body ?? whole;
  const task = typed.trim() === '' ? `Follow the skill ${name}.` : `Follow the skill ${name} for this: ${typed.trim()}`;
  return `${task}\nIts folder is ${folder}.\n<skill_content name="${name}">\n${body}\n</skill_content>`;
}
