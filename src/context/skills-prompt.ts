import type {Skill} from '../tools/ports/skill.ts';

/** About 100 tokens each (agentskills.io › progressive disclosure). */
const MAX_CHARS_EACH = 400;
/** All of them: some 2,000 tokens. */
const MAX_CHARS = 8000;

/** Lists the skills for the model: names and descriptions, the rest is loaded by `skill`. Empty if there are none. */
export function skillsPrompt(skills: readonly Skill[]): string {
  if (skills.length === 0) return '';
  const lines: string[] = [];
  const unnamed: string[] = [];
  let chars = 0;
  for (const {name, description} of skills) {
    const line = `- ${name}: ${cut(description)}`;
    chars += line.length;
    if (chars <= MAX_CHARS) lines.push(line);
    else unnamed.push(name);
  }
  const more = unnamed.length === 0 ? [] : [`- further: ${unnamed.join(', ')}`];
  return [INTRODUCTION, '<skills>', ...[...lines, ...more].map((line) => line.replaceAll(/<(?=\/?skills)/gi, '&lt;')), '</skills>'].join(
    '\n',
  );
}

const INTRODUCTION = 'Skills are instructions for certain tasks. When one fits, load it with the tool skill before you begin:';

function cut(text: string): string {
  return text.length <= MAX_CHARS_EACH ? text : `${text.slice(0, MAX_CHARS_EACH).toWellFormed()}…`;
}
