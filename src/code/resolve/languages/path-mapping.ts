import {posix} from 'node:path';
import type {CodeBase} from '../code-base.ts';

/** Where `paths` and `baseUrl` of the nearest `tsconfig.json` or `jsconfig.json` send a specifier: paths from the root, best first. */
export function* mappedPaths(module: string, folder: string, base: CodeBase): Generator<string> {
  for (let at = folder; ; at = posix.dirname(at)) {
    for (const name of ['tsconfig.json', 'jsconfig.json']) {
      const path = posix.join(at, name);
      const options = optionsOf(path, base, 0);
      if (options === undefined) continue;
      yield* mapped(module, options);
      return;
    }
    if (at === '.' || at === '') return;
  }
}

interface Options {
  /** Where the targets of `paths` begin. */
  readonly folder: string;
  readonly baseUrl: string | undefined;
  readonly paths: Readonly<Record<string, unknown>>;
}

/** `extends` is followed, to files of the repository. */
function optionsOf(path: string, base: CodeBase, depth: number): Options | undefined {
  const file = base.settings(path);
  if (!isRecord(file)) return undefined;
  const folder = posix.dirname(path);
  const parent = inherited(file['extends'], {folder, base, depth});
  const own = isRecord(file['compilerOptions']) ? file['compilerOptions'] : {};
  const baseUrl = typeof own['baseUrl'] === 'string' ? posix.join(folder, own['baseUrl']) : parent?.baseUrl;
  const paths = isRecord(own['paths'])
    ? {folder: baseUrl ?? folder, paths: own['paths']}
    : {folder: parent?.folder ?? folder, paths: parent?.paths ?? {}};
  return {...paths, baseUrl};
}

function inherited(from: unknown, {folder, base, depth}: {folder: string; base: CodeBase; depth: number}): Options | undefined {
  const first: unknown = Array.isArray(from) ? from.at(-1) : from;
  if (typeof first !== 'string' || !first.startsWith('.') || depth > 8) return undefined;
  const path = posix.join(folder, first);
  return optionsOf(path.endsWith('.json') ? path : `${path}.json`, base, depth + 1);
}

/** The pattern with the longest beginning wins (TypeScript handbook › paths). */
function* mapped(module: string, {folder, baseUrl, paths}: Options): Generator<string> {
  const fits = Object.entries(paths)
    .map(([pattern, targets]) => ({pattern, targets, star: starOf(pattern, module)}))
    .filter(({star}) => star !== undefined)
    .sort((a, b) => b.pattern.length - a.pattern.length);
  const best = fits[0];
  if (best !== undefined && Array.isArray(best.targets))
    for (const target of best.targets)
      if (typeof target === 'string')
        yield posix.join(
          folder,
          target.replace('*', () => best.star ?? ''),
        );
  if (baseUrl !== undefined) yield posix.join(baseUrl, module);
}

/** What stands for the star; '' where there is none and the pattern is the module. */
export function starOf(pattern: string, module: string): string | undefined {
  const at = pattern.indexOf('*');
  if (at < 0) return pattern === module ? '' : undefined;
  const [before, after] = [pattern.slice(0, at), pattern.slice(at + 1)];
  const fits = module.length >= before.length + after.length && module.startsWith(before) && module.endsWith(after);
  return fits ? module.slice(at, module.length - after.length) : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
