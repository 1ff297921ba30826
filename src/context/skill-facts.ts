import {basename} from 'node:path';
import {parse} from 'yaml';
import {isJsonObject, type JsonObject} from '../base/json.ts';
import {splitFrontMatter} from '../tools/operations/meta/load-skill-front-matter.ts';
import {visible} from '../tools/web/visible-characters.ts';

export interface SkillFacts {
  readonly facts: {readonly name: string; readonly description: string} | undefined;
  readonly problems: readonly string[];
}

const MAX_NAME = 64;
const MAX_DESCRIPTION = 1024;

/**
 * Reads the front matter of a SKILL.md (agentskills.io › Frontmatter). Required are a name of at most 64 lower-case letters, digits and
 * single hyphens, and a description; a name that is not the folder's, and a description of more than 1024 characters, are reported and
 * accepted.
 */
export function skillFacts(text: string, folder: string): SkillFacts {
  const parts = splitFrontMatter(text);
  if (parts === undefined) return unusable('it does not begin with front matter between lines of ---');
  const fields = fieldsOf(parts.yaml);
  if (fields === undefined) return unusable('its front matter is not YAML');
  const {name, description} = fields;
  if (typeof name !== 'string' || !isSkillName(name)) {
    return unusable('its name must be 1 to 64 lower-case letters, digits and single hyphens between them');
  }
  if (typeof description !== 'string' || description.trim() === '') return unusable('it has no description');
  const shown = visible(description).replaceAll(/\s+/g, ' ').trim();
  const problems = [
    ...(name.normalize('NFKC') === basename(folder).normalize('NFKC') ? [] : [`its name is ${name}, not that of its folder`]),
    ...(shown.length > MAX_DESCRIPTION ? [`its description has more than ${MAX_DESCRIPTION} characters; the rest is left out`] : []),
  ];
  return {facts: {name, description: shown.slice(0, MAX_DESCRIPTION).toWellFormed()}, problems};
}

function isSkillName(name: string): boolean {
  return name.length <= MAX_NAME && /^[\p{Ll}\p{Lo}\p{N}]+(?:-[\p{Ll}\p{Lo}\p{N}]+)*$/u.test(name);
}

function unusable(why: string): SkillFacts {
  return {facts: undefined, problems: [`not used: ${why}`]};
}

/** Many authors write a colon into a description without quotes: tried again with quotes around such values (agentskills.io › clients). */
function fieldsOf(yaml: string): JsonObject | undefined {
  for (const text of [yaml, quoted(yaml)]) {
    try {
      const value: unknown = parse(text, {maxAliasCount: 0, logLevel: 'error'});
      if (isJsonObject(value)) return value;
    } catch {
      // the next form, or no YAML
    }
  }
  return undefined;
}

function quoted(yaml: string): string {
  return yaml
    .split('\n')
    .map((line) => line.replace(/^([\w-]+): +([^"'|>].*)$/, (_, key: string, value: string) => `${key}: ${JSON.stringify(value)}`))
    .join('\n');
}
