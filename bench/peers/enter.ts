import {spawnSync} from 'node:child_process';
import {accessSync, constants, mkdirSync, writeFileSync} from 'node:fs';
import {delimiter, dirname, join} from 'node:path';
import {rgPath} from '@vscode/ripgrep';
import type {InstantModel} from '../instant-model.ts';
import type {Contender, Peer} from './contender.ts';

/** A contender that is there, with a home of its own. */
export interface Entrant {
  readonly contender: Contender;
  readonly argv: readonly string[];
  /** The arguments for `--version` and the like. */
  readonly idleArgv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly version: string;
}

/** All run on the same Node and find the same ripgrep. */
const PATH = [dirname(process.execPath), dirname(rgPath), process.env['PATH'] ?? ''].join(delimiter);

/** Makes the home of a contender below `root`, and asks for its version. */
export function enter(
  contender: Contender,
  program: string,
  {root, model}: {readonly root: string; readonly model: InstantModel},
): Entrant {
  const place = {home: join(root, contender.name.replaceAll(' ', '-')), model};
  const tmp = join(place.home, 'tmp');
  mkdirSync(tmp, {recursive: true});
  for (const [path, content] of Object.entries(contender.files(place))) {
    mkdirSync(dirname(join(place.home, path)), {recursive: true});
    writeFileSync(join(place.home, path), content);
  }
  const env = {PATH, HOME: place.home, TMPDIR: tmp, ...contender.env(place)};
  const idleArgv = [program, ...contender.idleArgv];
  return {contender, argv: [program, ...contender.argv(place)], idleArgv, env, version: contender.version ?? versionOf(idleArgv, env)};
}

function versionOf([program = '', ...argv]: readonly string[], env: Entrant['env']): string {
  const {stdout} = spawnSync(program, argv, {env, encoding: 'utf8', timeout: 60_000});
  return /\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? '?';
}

/** Returns the command of a peer: what its variable names, else what is on PATH; nothing when it is not installed. */
export function findPeer({command, variable}: Peer, variables: Readonly<Record<string, string | undefined>>): string | undefined {
  const named = variables[variable];
  const places = (variables['PATH'] ?? '').split(delimiter).map((folder) => join(folder, command));
  return (named === undefined ? places : [named]).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
