import {existsSync, realpathSync} from 'node:fs';
import {basename, dirname, isAbsolute, join, relative} from 'node:path';
import {FettleError} from '../../base/errors.ts';
import type {ContainerMount} from './engine-arguments.ts';

/** The folder of everything of Fettle in a container. */
export const INSIDE = '/opt/fettle';

/** Programs of this machine as a container has them. */
export interface MountedAgent {
  readonly mounts: readonly ContainerMount[];
  /** The Node of this process. */
  readonly node: ContainerMount;
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * Returns what a container needs to run the agent's own program: the program as a single file, since folders such as /usr/bin would hide those of the image,
 * and for each script its package with the folders in which Node looks for other packages, nested as they are here (Node.js › Loading from
 * node_modules folders).
 */
export function mountAgent({program, args}: {readonly program: string; readonly args: readonly string[]}): MountedAgent {
  const node = {from: realpathSync(process.execPath), at: join(INSIDE, 'bin/node')};
  const mounts: ContainerMount[] = [node];
  const isFile = (path: string): boolean => isAbsolute(path) && existsSync(path);
  const isNode = isFile(program) && realpathSync(program) === node.from;
  const at = isNode ? node.at : join(INSIDE, 'bin', `agent-${basename(program)}`);
  if (isFile(program) && !isNode) mounts.push({from: realpathSync(program), at});
  const placed = args.map((arg) => {
    if (!isFile(arg)) return arg;
    const script = mountScript(realpathSync(arg));
    mounts.push(...script.mounts);
    return script.at;
  });
  return {mounts, node, program: isFile(program) ? at : program, args: placed};
}

function mountScript(file: string): {mounts: readonly ContainerMount[]; at: string} {
  const above: string[] = [];
  for (let at = dirname(file); at !== dirname(at); at = dirname(at)) above.push(at);
  const own = above.find((folder) => existsSync(join(folder, 'package.json'))) ?? dirname(file);
  // Those within the package come along with it; of the others the nearest comes first.
  const others = above
    .filter((folder) => !isBelow(own, folder))
    .map((folder) => join(folder, 'node_modules'))
    .filter((folder) => existsSync(folder));
  const levels = others.map((_, index) => join(INSIDE, 'app', ...others.slice(index).map((__, depth) => `l${depth + 1}`)));
  const at = join(levels[0] ?? join(INSIDE, 'app'), 'package');
  const mounts = others.map((from, index) => ({from: realpathSync(from), at: join(levels[index] ?? '', 'node_modules')}));
  return {mounts: [{from: own, at}, ...mounts], at: join(at, relative(own, file))};
}

function isBelow(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/**
 * Throws UNAVAILABLE if a mount would show a file or folder that no agent may see, or cannot be written down for an engine, which separates the
 * fields of a mount by commas.
 */
export function assertMountable(mounts: readonly ContainerMount[], hidden: readonly string[]): void {
  for (const {from} of mounts) {
    const shown = hidden.find((path) => isBelow(from, path));
    if (shown !== undefined) {
      const message = `${from}, which containers need, contains ${shown}, which agents must not see.`;
      throw new FettleError({code: 'UNAVAILABLE', message, hint: 'Keep Fettle and the suite in different folders.'});
    }
    if (!/[,"\n]/.test(from)) continue;
    const message = `${from} cannot be shown to a container: its path has a comma, a quotation mark or a line break.`;
    throw new FettleError({code: 'UNAVAILABLE', message, hint: 'Move it to another folder.'});
  }
}
