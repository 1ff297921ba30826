import {plain} from '../../base/plain-name.ts';
import type {Json, JsonObject} from '../../base/json.ts';

/**
 * Returns arguments under the names in the schema of a foreign tool, for keys that it lacks: another notation (`filePath`), or another usual
 * name of the same thing (`cmd` for `command`). Only if exactly one property can be meant, and has no other value; any other key stays as it is.
 */
export function generalNames(
  properties: readonly string[],
  received: JsonObject,
): {readonly fields: JsonObject; readonly repairs: readonly string[]} {
  const meant = new Map(
    Object.keys(received).flatMap((key) => {
      const name = properties.includes(key) ? undefined : onlyMeaning(key, properties);
      return name === undefined || Object.hasOwn(received, name) ? [] : [[key, name] as const];
    }),
  );
  const targets = [...meant.values()];
  const renames = [...meant].filter(([, name]) => targets.filter((other) => other === name).length === 1);
  const names = new Map(renames);
  const fields = Object.entries(received).map(([key, value]): [string, Json | undefined] => [names.get(key) ?? key, value]);
  return {fields: Object.fromEntries(fields), repairs: renames.map(([key, name]) => `${key.slice(0, MAX_SHOWN)} read as ${name}`)};
}

const MAX_SHOWN = 40;

function onlyMeaning(key: string, properties: readonly string[]): string | undefined {
  const matching = properties.filter((name) => plain(name) === plain(key));
  const candidates =
    matching.length > 0 ? matching : properties.filter((name) => GROUPS.some((group) => group.has(plain(key)) && group.has(plain(name))));
  return candidates.length === 1 ? candidates[0] : undefined;
}

/** Names of the same thing, without case, `_` and `-`. An ambiguous name is in both. */
const GROUPS: readonly ReadonlySet<string>[] = [
  'path filepath file filename absolutepath relativepath targetfile notebookpath',
  'path dir directory folder dirpath directorypath targetdirectory',
  'cwd workdir workingdir workingdirectory',
  'command cmd commandline shellcommand',
  'query pattern search searchquery searchterm regex regexp q keyword',
  'content contents text body filetext filecontent',
  'oldstring oldstr oldtext',
  'newstring newstr newtext replacement',
  'url uri link address',
  'limit maxresults maxcount headlimit',
].map((names) => new Set(names.split(' ')));
