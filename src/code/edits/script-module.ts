import {posix} from 'node:path';

/** The module of a script that another one names by a relative path, as `scriptStem` writes it. */
export function scriptModule(from: string, module: string): string {
  return scriptStem(posix.join(posix.dirname(from), module)).replace(/^\.$|\/$/, '');
}

/** The path of a script as imports may write it: without its ending, and without `index`. */
export function scriptStem(path: string): string {
  return path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '').replace(/(?:^|\/)index$/, '');
}
