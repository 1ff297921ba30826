import {isSecretVariable, affectsExecution} from '../../base/variable-names.ts';
import type {Variables} from './child-environment.ts';

/** Variables that a person grants to commands besides the harmless ones. */
export interface VariableGrants {
  /** Names, or globs with `*`. */
  readonly pass: readonly string[];
  readonly set: Readonly<Record<string, string>>;
}

/**
 * Variables of the owner that commands see because a person has named them, and variables set to a value. Names that make programs load or run
 * something are left out, whoever names them; secrets are passed on only by their exact name, never by a glob.
 */
export function addedVariables(env: Readonly<Record<string, string | undefined>>, {pass, set}: VariableGrants): Variables {
  const tests = pass.map(grantTest);
  const passed = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && tests.some((test) => test(name, value)) ? [[name, value] as const] : [],
  );
  return Object.fromEntries([...passed, ...Object.entries(set)].filter(([name]) => !affectsExecution(name)));
}

function grantTest(pattern: string): (name: string, value: string) => boolean {
  if (!pattern.includes('*')) return (name) => name === pattern;
  const parts = pattern.split(/\*+/);
  return (name, value) => fitsParts(name, parts) && !isSecretVariable(name, value);
}

/** The parts one after the other, the first at the start and the last at the end: without an expression that could take for ever. */
function fitsParts(name: string, [first = '', ...parts]: readonly string[]): boolean {
  const last = parts.pop() ?? '';
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= name.length - last.length;
}
