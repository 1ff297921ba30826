import {lstatSync, readdirSync} from 'node:fs';
import {basename, join, posix, relative} from 'node:path';
import {counted} from '../../../base/counted.ts';
import {affectsExecution} from '../../../base/variable-names.ts';
import type {DockerInstruction} from './dockerfile.ts';
import {IMAGE_PROGRAMS} from './image-programs.table.ts';
import {runMeaning} from './run-line.ts';
import {expand, words} from './docker-words.ts';
import {isInScratch} from './scratch-folders.ts';

/** The place that a Dockerfile describes, as far as a scratch root can be it. */
export interface DockerPlace {
  /** Absolute. */
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly copies: readonly {readonly from: string; readonly to: string}[];
  readonly setUp: readonly string[];
  readonly programs: readonly {readonly name: string; readonly line: number}[];
  /** Lines that only a container engine can do. */
  readonly problems: readonly {readonly line: number; readonly text: string}[];
}

interface Building {
  readonly context: string;
  workdir: string;
  readonly env: Record<string, string>;
  /** Values of ARG, for substitution alone. */
  readonly args: Record<string, string>;
  readonly copies: {from: string; to: string}[];
  readonly setUp: string[];
  readonly programs: {name: string; line: number}[];
  readonly problems: {line: number; text: string}[];
  stages: number;
}

/**
 * Follows the instructions of a Dockerfile whose build context is `context` (Dockerfile reference). FROM must be a well-known base image,
 * COPY must stay in the context, RUN may install programs and make files in scratch folders; the rest has problems, and is for a container engine.
 */
export function dockerPlace(instructions: readonly DockerInstruction[], context: string): DockerPlace {
  const building: Building = {
    context,
    workdir: '/',
    env: {},
    args: {},
    copies: [],
    setUp: [],
    programs: [],
    problems: [],
    stages: 0,
  };
  for (const instruction of instructions) {
    const problem = follow(building, instruction);
    if (problem !== undefined) building.problems.push({line: instruction.line, text: `${instruction.name} ${problem}`});
  }
  if (building.stages === 0) building.problems.push({line: 1, text: 'FROM is missing'});
  return building;
}

/** Returns the problem of an instruction. */
function follow(building: Building, {name, text, line}: DockerInstruction): string | undefined {
  if (UNCHANGED.has(name)) return undefined;
  if (name === 'FROM') return from(building, text, line);
  if (name === 'RUN') return run(building, text, line);
  const expanded = expand(text, {...building.args, ...building.env});
  if (expanded === undefined) return `${text}: a variable that is not set here`;
  if (name === 'WORKDIR') return workdir(building, expanded);
  if (name === 'ENV') return env(building, expanded);
  if (name === 'ARG') return arg(building, expanded);
  if (name === 'COPY' || name === 'ADD') return copy(building, expanded);
  return name === 'USER' ? undefined : `${text}: not understood`;
}

/** Instructions that change no file, or are replaced: Harbor runs a command of its own. */
const UNCHANGED: ReadonlySet<string> = new Set(['LABEL', 'EXPOSE', 'CMD', 'STOPSIGNAL', 'MAINTAINER']);

function from(building: Building, text: string, line: number): string | undefined {
  building.stages += 1;
  if (building.stages > 1) return `${text}: a build of several stages`;
  const image = /^(?:--\S+\s+)*(?:docker\.io\/)?(?:library\/)?([^\s:@]+)(?:[:@]\S+)?\s*$/.exec(text)?.[1];
  const programs = image === undefined ? undefined : IMAGE_PROGRAMS.get(image);
  if (programs === undefined) return `${text}: an image whose content is not known`;
  building.programs.push(...programs.map((name) => ({name, line})));
  return undefined;
}

function run(building: Building, text: string, line: number): string | undefined {
  const {programs, setUp, problem} = runMeaning(text, building.workdir);
  building.programs.push(...programs.map((name) => ({name, line})));
  // Each RUN begins in the WORKDIR of its place in the file, the lines of a set-up in that of the task.
  if (setUp !== undefined) building.setUp.push(isInScratch(building.workdir) ? `cd ${quoted(building.workdir)} && { ${setUp}; }` : setUp);
  return problem === undefined ? undefined : `${shortened(text)}: ${problem}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function workdir(building: Building, text: string): string | undefined {
  const [path = ''] = words(text);
  building.workdir = posix.resolve(building.workdir, path);
  return undefined;
}

function env(building: Building, text: string): string | undefined {
  const pairs = /^[A-Za-z_]\w*\s/.test(text) ? [text.replace(/\s+/, '=')] : words(text);
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, at));
    if (!/^[A-Za-z_]\w*$/.test(name)) return `${text}: not understood`;
    if (affectsExecution(name)) return `${text}: ${name} decides which programs run`;
    building.env[name] = pair.slice(at + 1);
  }
  return undefined;
}

function arg(building: Building, text: string): string | undefined {
  const [pair = ''] = words(text);
  const at = pair.indexOf('=');
  if (at > 0) building.args[pair.slice(0, at)] = pair.slice(at + 1);
  return undefined;
}

function copy(building: Building, text: string): string | undefined {
  const all = words(text);
  const flags = all.filter((word) => word.startsWith('--'));
  const other = flags.find((flag) => !flag.startsWith('--chown='));
  if (text.startsWith('[') || other !== undefined) return `${text}: ${other ?? 'this form'} is not understood`;
  const [sources, target] = [all.slice(flags.length, -1), all.at(-1)];
  if (sources.length === 0 || target === undefined) return `${text}: no source or no target`;
  const to = posix.resolve(building.workdir, target);
  for (const source of sources) {
    const problem = copyOne(building, source, {to, intoFolder: /(?:\/|^\.{1,2})$/.test(target) || sources.length > 1});
    if (problem !== undefined) return `${text}: ${problem}`;
  }
  return undefined;
}

/** A folder gives its content, a file itself; a pattern is that of file names in one folder. */
function copyOne({context, copies}: Building, source: string, {to, intoFolder}: {to: string; intoFolder: boolean}): string | undefined {
  if (/^[a-z+]+:\/\//i.test(source) || /\.(?:tar|tgz|zip)\b/.test(source)) return `${source} is fetched or unpacked`;
  const path = join(context, posix.normalize(`/${source}`).replace(/\/+$/, ''));
  const isPattern = /[*?[]/.test(source);
  const found = isPattern ? matches(path) : [path];
  if (found.length === 0) return `${source} is not there`;
  for (const one of found) {
    const kind = kindOf(one);
    if (kind === undefined) return `${relative(context, one)} is not a file or folder here`;
    copies.push({from: one, to: kind === 'file' && (intoFolder || isPattern) ? posix.join(to, basename(one)) : to});
  }
  return undefined;
}

function kindOf(path: string): 'file' | 'folder' | undefined {
  const stats = lstatSync(path, {throwIfNoEntry: false});
  if (stats === undefined) return undefined;
  if (stats.isDirectory()) return 'folder';
  return stats.isFile() ? 'file' : undefined;
}

function matches(path: string): string[] {
  const folder = join(path, '..');
  if (/[*?[]/.test(folder) || kindOf(folder) !== 'folder') return [];
  const pattern = new RegExp(
    `^${basename(path)
      .replaceAll(/[.+^${}()|\\\]]/g, String.raw`\$&`)
      .replaceAll('[', String.raw`\[`)
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  );
  return readdirSync(folder)
    .filter((name) => pattern.test(name))
    .toSorted()
    .map((name) => join(folder, name));
}

/** Lines about what the scratch root of a place cannot be: folders elsewhere, programs that are missing. `skills` has a way of its own. */
export function placeProblems(
  {workdir: folder, copies, programs, problems}: DockerPlace,
  {has, isElsewhere}: {has: ReadonlySet<string>; isElsewhere: (to: string) => boolean},
): readonly string[] {
  const outside = copies.filter(({to}) => !isInScratch(to) && !isElsewhere(to));
  const missing = programs.filter(({name}) => !has.has(name));
  return [
    ...problems.map(({line, text}) => `environment/Dockerfile:${line}: ${text}.`),
    ...(isInScratch(folder) ? [] : [`The working folder is ${folder}; without a container it must be /app or below.`]),
    ...(outside.length === 0
      ? []
      : [`It copies ${counted(outside.length, 'entry', 'entries')} to other places than /app: ${outside[0]?.to}.`]),
    ...[...new Map(missing.map(({name, line}) => [name, line]))].map(
      ([name, line]) => `environment/Dockerfile:${line}: ${name} is not on PATH.`,
    ),
  ];
}
