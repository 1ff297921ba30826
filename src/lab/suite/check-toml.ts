import {nearestWord} from '../../base/nearest-word.ts';
import {checkValue, type Finding} from '../../config/check-value.ts';
import {keyPathText} from '../../config/origin.ts';
import type {SettingSchema} from '../../config/setting-schema.ts';
import {taskProblem, type TaskToml} from './task-text.ts';

/** Checks a file of a task against its schema. @throws FettleError CONFIG with file, line, key and the expected form of the first problem */
export function checkToml({file, value, lineOf}: TaskToml, schema: SettingSchema): void {
  const [first] = checkValue(schema, value);
  if (first !== undefined) throw taskProblem(`${file}:${lineOf(first.path)}: ${wording(first, schema)}`);
}

function wording({path, must, value}: Finding, schema: SettingSchema): string {
  if (must === undefined) return `unknown key ${keyPathText(path)}${advice(path, schema)}`;
  return `${keyPathText(path)} ${value === undefined ? 'is missing: it ' : ''}${must}`;
}

function advice(path: Finding['path'], schema: SettingSchema): string {
  const table = path.slice(0, -1).reduce<SettingSchema | undefined>((here, key) => here?.properties?.[key], schema);
  const known = Object.keys(table?.properties ?? {});
  const near = nearestWord(String(path.at(-1)), known);
  if (near !== undefined) return `; did you mean ${keyPathText([...path.slice(0, -1), near])}?`;
  return known.length === 0 ? '' : `; known here: ${known.join(', ')}`;
}
