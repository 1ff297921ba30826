import {isJsonObject, parseJson, type Json, type JsonObject} from '../../../base/json.ts';

/** An instance of a data set in the form of SWE-bench (SWE-bench › Datasets). */
export interface SweInstance {
  readonly id: string;
  /** `owner/name`. */
  readonly repo: string;
  readonly commit: string;
  readonly problem: string;
  readonly testPatch: string;
  /** The known solution, if it is there. */
  readonly patch: string | undefined;
  /** Names of tests that must pass: those that failed before, and those that must not break. */
  readonly tests: readonly string[];
  /** Shell line that runs the tests, if the data set names one (`test_cmd`, also in `install_config`). */
  readonly testCommand: string | undefined;
  readonly version: string | undefined;
}

/** Reads a line of the file. Returns its problem as a text. */
export function readInstance(line: string): SweInstance | string {
  const value = parseJson(line);
  if (!isJsonObject(value)) return 'not a JSON object';
  const missing = ['instance_id', 'repo', 'base_commit', 'problem_statement', 'test_patch'].find((key) => typeof value[key] !== 'string');
  if (missing !== undefined) return `${missing} is missing, or not text`;
  const [toPass, toKeep] = [testNames(value['FAIL_TO_PASS']), testNames(value['PASS_TO_PASS'] ?? [])];
  if (toPass === undefined || toKeep === undefined) return 'FAIL_TO_PASS and PASS_TO_PASS must be lists of names';
  const instance = {
    id: text(value, 'instance_id') ?? '',
    repo: text(value, 'repo') ?? '',
    commit: text(value, 'base_commit') ?? '',
    problem: text(value, 'problem_statement') ?? '',
    testPatch: text(value, 'test_patch') ?? '',
    patch: text(value, 'patch'),
    tests: [...new Set([...toPass, ...toKeep])],
    testCommand: commandOf(value),
    version: text(value, 'version'),
  };
  return problemOf(instance, toPass) ?? instance;
}

function text(value: JsonObject, key: string): string | undefined {
  const found = value[key];
  return typeof found === 'string' && found !== '' ? found : undefined;
}

function problemOf({repo, commit, problem, tests}: SweInstance, toPass: readonly string[]): string | undefined {
  if (!/^[A-Za-z0-9_][\w.-]*\/[A-Za-z0-9_][\w.-]*$/.test(repo)) return 'repo must be owner/name';
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) return 'base_commit must be a whole commit id';
  if (problem.trim() === '') return 'problem_statement is empty';
  if (toPass.length === 0) return 'FAIL_TO_PASS is empty';
  return tests.some((name) => /[\n\r\0]/.test(name)) ? 'a name of a test has a line break' : undefined;
}

/** The data set has lists as JSON in a text; copies of it have them as lists. */
function testNames(value: Json | undefined): readonly string[] | undefined {
  const list = typeof value === 'string' ? parseJson(value) : value;
  return Array.isArray(list) && list.every((name: Json) => typeof name === 'string') ? list : undefined;
}

function commandOf(value: JsonObject): string | undefined {
  const config = value['install_config'];
  const command = value['test_cmd'] ?? (isJsonObject(config) ? config['test_cmd'] : undefined);
  if (typeof command === 'string') return command.trim() === '' ? undefined : command;
  return Array.isArray(command) && command.every((part: Json) => typeof part === 'string') ? command.join(' && ') : undefined;
}
