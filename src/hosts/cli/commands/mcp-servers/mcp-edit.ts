import {lstat, mkdir, realpath, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {FettleError} from '../../../../base/errors.ts';
import type {JsonObject} from '../../../../base/json.ts';
import {visibleText} from '../../../../base/visible-text.ts';
import {readIfThere} from '../../../../config/config-file.ts';
import {withoutServer, withServer, type ConfigText} from '../../../../config/edit-servers.ts';
import {fettlePaths} from '../../../../config/paths.ts';
import {writePrivateFile} from '../../../../config/private-file.ts';
import {projectRoot} from '../../../../config/trust/project-root.ts';
import {validate} from '../../../../config/validate.ts';
import {EXIT} from '../../../../protocol/exit-code.ts';
import {inTurn} from '../../../../sessions/process-lock.ts';
import type {Io} from '../../io.ts';
import {refuseInsideFettle} from '../../refuse-inside-fettle.ts';

export interface EditOptions {
  /** In `.fettle/config.toml` of the project, not in the file of the user. */
  readonly project?: true;
  /** `NAME=VALUE`. */
  readonly env?: readonly string[];
}

/** `fettle mcp add NAME URL` or `NAME -- COMMAND…`: adds a server to a configuration file and starts nothing. */
export async function addServer(io: Io, {name, target}: {name: string; target: readonly string[]}, options: EditOptions): Promise<number> {
  refuseInsideFettle(io, {cannot: 'add an MCP server', instead: 'fettle mcp add'});
  const server = serverOf(name, target, options.env ?? []);
  await refuseInvalid(server);
  const file = await edit(io, options, (found) => withServer(found, server));
  io.note(`Added ${name} to ${visibleText(file.path)}. \`fettle mcp test ${name}\` starts it and shows its tools.`);
  if (options.project === true) io.note('The project changed since it was trusted: `fettle trust` shows what.');
  return EXIT.done;
}

/** `fettle mcp remove NAME`: takes a server out of a configuration file. */
export async function removeServer(io: Io, name: string, options: EditOptions): Promise<number> {
  refuseInsideFettle(io, {cannot: 'remove an MCP server', instead: 'fettle mcp remove'});
  const file = await edit(io, options, (found) => {
    const edited = withoutServer(found, name);
    if (edited !== undefined) return edited;
    const other =
      options.project === true ? 'Without --project, the file of the user is edited.' : '--project edits the one of the project.';
    const message = `${visibleText(found.path)} has no MCP server ${visibleText(name)}.`;
    throw new FettleError({code: 'NOT_FOUND', message, hint: `\`fettle mcp list\` shows all servers. ${other}`});
  });
  io.note(`Removed ${name} from ${visibleText(file.path)}.`);
  return EXIT.done;
}

function serverOf(name: string, target: readonly string[], variables: readonly string[]): Server {
  const [first = '', ...args] = target;
  const isAddress = args.length === 0 && /^https?:\/\//i.test(first);
  if (isAddress && variables.length > 0) throw usage('--env is for servers that are started.', 'Leave it out, or give a command.');
  if (isAddress) return {name, transport: 'http', url: first};
  const env = Object.fromEntries(variables.map(variableOf));
  return {name, transport: 'stdio', command: first, ...(args.length > 0 && {args}), ...(variables.length > 0 && {env})};
}

/** The value is not repeated in the message: it may be a key. */
function variableOf(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw usage('--env takes NAME=VALUE.', 'For example --env LOG_LEVEL=warn');
}

type Server = JsonObject & {readonly name: string};

async function refuseInvalid(server: Server): Promise<void> {
  const {problems} = await validate({value: {mcp_servers: [server]}, originOf: () => ({source: 'flag', name: 'mcp add'})});
  if (problems.length > 0) throw usage(problems.join('\n'), 'fettle mcp add NAME https://…, or fettle mcp add NAME -- COMMAND ARGUMENTS…');
}

function usage(message: string, hint: string): FettleError {
  return new FettleError({code: 'USAGE', message, hint});
}

interface EditedFile extends ConfigText {
  readonly isOfProject: boolean;
}

/** The file is read and replaced as a whole: of two processes at once, one would undo what the other wrote. */
async function edit(io: Io, options: EditOptions, change: (file: EditedFile) => string): Promise<EditedFile> {
  return await inTurn(join(fettlePaths(io).configDir, 'config.toml.lock'), async () => {
    const file = await targetFile(io, options);
    await write(file, change(file));
    return file;
  });
}

async function targetFile(io: Io, {project}: EditOptions): Promise<EditedFile> {
  const path = project === true ? await projectFile(io) : await userFile(io);
  const bytes = (await readIfThere(path)) ?? new Uint8Array();
  return {path, text: textOf(path, bytes), isOfProject: project === true};
}

/** The file itself where the configured path is a link, as people who keep their settings in a repository have it. */
async function userFile({env, home}: Io): Promise<string> {
  const {configFile} = fettlePaths({env, home});
  return await realpath(configFile).catch(() => configFile);
}

/** A repository may bring links along: nothing is written through one. */
async function projectFile({cwd, home}: Io): Promise<string> {
  const [folder, own] = await Promise.all([realpath(cwd), realpath(home).catch(() => home)]);
  const {root, canBeTrusted} = await projectRoot(folder, own);
  if (!canBeTrusted) throw usage(`${visibleText(root)} is not a project: it is your home folder, or holds it.`, 'Leave --project out.');
  const path = join(root, '.fettle', 'config.toml');
  for (const part of [dirname(path), path]) {
    const found = await lstat(part).catch(() => undefined);
    if (found?.isSymbolicLink() === true)
      throw usage(`${visibleText(part)} is a link.`, 'Replace it by what it points to, or leave --project out.');
  }
  return path;
}

/** Includes the byte order mark, if there is one. */
function textOf(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(bytes);
  } catch (cause) {
    throw new FettleError({code: 'CONFIG', message: `${path}: not UTF-8, which TOML requires`, hint: 'Fix it first.', cause});
  }
}

async function write({path, isOfProject}: EditedFile, edited: string): Promise<void> {
  if (!isOfProject) return await writePrivateFile(path, edited);
  await mkdir(dirname(path), {recursive: true});
  await writeFile(path, edited);
}
