import {parse} from 'yaml';
import {isDeeperThan, isJsonObject, type Json} from '../../base/json.ts';
import type {FactFiles, Facts} from './fact-files.ts';

/** Reads the commands that continuous integration runs: they are the real checks of a project. */
export async function ciFacts(files: FactFiles): Promise<Facts> {
  const conventions: string[] = [];
  for (const path of await workflowFiles(files)) {
    const lines = [...new Set(commandsIn((await files.text(path)) ?? ''))].slice(0, MOST_LINES);
    if (lines.length > 0) conventions.push(`CI (${path}) runs ${lines.map((line) => `\`${line}\``).join(', ')}.`);
  }
  return {commands: [], conventions};
}

const MOST_LINES = 8;

async function workflowFiles(files: FactFiles): Promise<string[]> {
  const folder = '.github/workflows';
  const names = (await files.names(folder)).filter((name) => /^[\w.-]+\.ya?ml$/.test(name));
  const others = (await files.names('')).filter((name) => name === '.gitlab-ci.yml');
  return [...names.slice(0, 5).map((name) => `${folder}/${name}`), ...others];
}

/** Short lines after `run` and `script` that check or build something with a known program, without variables, pipes or quotes. */
function commandsIn(yaml: string): string[] {
  let value: unknown;
  try {
    value = parse(yaml, {maxAliasCount: 100, logLevel: 'error'});
  } catch {
    return [];
  }
  if (!isJsonObject(value) || isDeeperThan(value, 30)) return [];
  return scriptsOf(value)
    .flatMap((text) => text.split('\n'))
    .map((line) => line.trim())
    .filter((line) => /^[\w./:=@-]+(?: [\w./:=@-]+){0,5}$/.test(line) && line.length <= 80 && PROGRAMS.test(line) && CHECKS.test(line));
}

const PROGRAMS =
  /^(?:npm|npx|pnpm|yarn|bun|node|deno|make|just|cargo|go|pytest|python3?|uv|poetry|pdm|hatch|tox|nox|ruff|mypy|pyright|mvn|gradle|\.\/mvnw|\.\/gradlew|dotnet|bundle|rake|composer|mix|swift|cmake|ctest|bazel|golangci-lint|pre-commit)(?: |$)/;

const CHECKS = /\b(?:test|tests|lint|check|build|typecheck|fmt|format|clippy|vet|pytest|ruff|mypy|tsc|eslint|vitest|jest|tox)\b/;

function scriptsOf(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap((one: Json) => scriptsOf(one));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    if ((key === 'run' || key === 'script') && typeof child === 'string') return [child];
    if (key === 'script' && Array.isArray(child)) return child.filter((line): line is string => typeof line === 'string');
    return scriptsOf(child);
  });
}
