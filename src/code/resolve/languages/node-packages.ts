import {posix} from 'node:path';
import type {StoredFile} from '../../store/facts-reader.ts';
import type {CodeBase} from '../code-base.ts';
import {isRecord, starOf} from './path-mapping.ts';
import {sourceAt} from './source-at.ts';

/** A package that lives in the repository (workspaces, the package itself), or `#name` of its `imports`. Others are not known. */
export function packageFiles(module: string, folder: string, base: CodeBase): StoredFile | undefined {
  if (module.startsWith('#')) return ownImport(module, folder, base);
  const name = module.split('/', module.startsWith('@') ? 2 : 1).join('/');
  const subpath = module.slice(name.length + 1);
  for (const path of base.settingsNamed('package.json')) {
    const manifest = base.settings(path);
    if (!isRecord(manifest) || manifest['name'] !== name) continue;
    const found = entry(manifest, subpath, {home: posix.dirname(path), base});
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Home {
  readonly home: string;
  readonly base: CodeBase;
}

/** `exports`, then `main`; what is built is looked for where it is written. */
function entry(manifest: Record<string, unknown>, subpath: string, {home, base}: Home): StoredFile | undefined {
  const asked = subpath === '' ? '.' : `./${subpath}`;
  const named = [
    ...targetsOf(manifest['exports'], asked),
    ...(subpath === '' ? ['source', 'module', 'main', 'types'].map((key) => manifest[key]) : []),
  ].filter((target) => typeof target === 'string');
  const guesses = subpath === '' ? ['src/index', 'index'] : [subpath, `src/${subpath}`];
  return firstSource([...named.flatMap(unbuilt), ...guesses], {home, base});
}

/** `imports` of the nearest manifest; what lies above it does not count. */
function ownImport(module: string, folder: string, base: CodeBase): StoredFile | undefined {
  for (let at = folder; ; at = posix.dirname(at)) {
    const manifest = base.settings(posix.join(at, 'package.json'));
    if (isRecord(manifest)) return firstSource(targetsOf(manifest['imports'], module).flatMap(unbuilt), {home: at, base});
    if (at === '.' || at === '') return undefined;
  }
}

function firstSource(targets: readonly string[], {home, base}: Home): StoredFile | undefined {
  for (const target of targets) {
    const found = sourceAt(posix.join(home, target), base);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The targets of a map of exports or imports for one key, whatever the condition (Node › packages › conditional exports). */
function targetsOf(map: unknown, key: string): string[] {
  if (typeof map === 'string') return key === '.' ? [map] : [];
  if (!isRecord(map)) return [];
  const keys = Object.keys(map);
  if (!keys.some((name) => name.startsWith('.') || name.startsWith('#'))) return key === '.' ? leaves(map, '') : [];
  return keys.flatMap((name) => {
    const star = starOf(name, key);
    return star === undefined ? [] : leaves(map[name], star);
  });
}

function leaves(target: unknown, star: string): string[] {
  if (typeof target === 'string') return [target.replaceAll('*', star)];
  if (Array.isArray(target)) return target.flatMap((one: unknown) => leaves(one, star));
  return isRecord(target) ? Object.values(target).flatMap((one) => leaves(one, star)) : [];
}

/** `dist/a.js` was most likely written as `src/a.ts`. */
function unbuilt(target: string): string[] {
  const source = target.replace(/^(?:\.\/)?(?:dist|lib|build|out|esm|cjs)\//, 'src/').replace(/\.d\.([cm]?)ts$/, '.$1js');
  return source === target ? [target] : [target, source];
}
