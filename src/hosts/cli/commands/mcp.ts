import {randomBytes} from 'node:crypto';
import {FettleError} from '../../../base/errors.ts';
import {visibleText} from '../../../base/visible-text.ts';
import {readSecretFile} from '../../../config/private-file.ts';
import {hideInArgs, hideInUrl} from '../../../config/secret-parts.ts';
import type {McpServer} from '../../../config/settings.ts';
import type {ServerPlace} from '../../../mcp/connection/connect.ts';
import type {ServerChange} from '../../../mcp/trust/review-server.ts';
import {EXIT} from '../../../protocol/exit-code.ts';
import {loadSettings, type SessionSettings} from '../../../sdk/settings/load-settings.ts';
import {VERSION} from '../../../sdk/version.ts';
import {configuredServer} from '../configured-server.ts';
import {confirm} from '../confirm.ts';
import {listenForInterrupts} from '../interrupt.ts';
import type {Io} from '../io.ts';
import {flagsOf, type SettingOptions} from '../command-line/run-options.ts';

/** `fettle mcp serve`: publishes a toolset until the client goes or the command is interrupted. stdout carries the protocol alone. */
export async function serveMcp(io: Io, options: SettingOptions & {readonly http?: string; readonly tokenFile?: string}): Promise<number> {
  const session = await settingsFor(io, options);
  const {serve} = await import('../../mcp/serve.ts');
  const interrupts = listenForInterrupts(() => undefined);
  try {
    const way =
      options.http === undefined
        ? {input: process.stdin, output: process.stdout}
        : {
            ...(await tokenFor(io, options.tokenFile)),
            port: portOf(options.http),
            onListening: (url: string) => io.note(`Listening on ${url}`),
          };
    await serve({session, way, note: io.note}, interrupts.signal());
    return EXIT.done;
  } finally {
    interrupts.dispose();
  }
}

/** `fettle mcp list`: the configured servers; starts none. */
export async function listServers(io: Io, options: {readonly json?: true}): Promise<number> {
  const {settings} = await settingsFor(io, {});
  const shown = settings.mcp_servers.map((server) => ({
    name: server.name,
    transport: server.transport,
    target: targetOf(server),
    disabled: server.disabled === true,
  }));
  if (options.json === true) io.data(`${JSON.stringify(shown, null, 2)}\n`);
  else if (shown.length === 0) io.note('No MCP server is configured. `fettle mcp add` adds one.');
  for (const {name, transport, target, disabled} of options.json === true ? [] : shown) {
    io.data(`${name}  ${transport}  ${target}${disabled ? '  (disabled)' : ''}\n`);
  }
  return EXIT.done;
}

/** `fettle mcp test NAME`: starts one server and says what came of it; accepts nothing. Throws what keeps it from working. */
export async function testServer(io: Io, name: string): Promise<number> {
  const session = await settingsFor(io, {});
  const server = configuredServer(session.settings.mcp_servers, name);
  const [{testConnection}, {promptUsage}] = await Promise.all([
    import('../../../mcp/trust/test-connection.ts'),
    import('../../../mcp/tools/prompts.ts'),
  ]);
  const interrupts = listenForInterrupts(() => undefined);
  try {
    const {tested, changes} = await testConnection(server, placeOf(session), interrupts.signal());
    if (tested !== undefined) {
      const {about, offers, tools, prompts, notices} = tested;
      io.note(`${name}: ${visibleText(about.server) || 'a server without a name'}, protocol ${visibleText(about.protocol)}`);
      for (const notice of notices) io.note(visibleText(notice));
      for (const tool of tools) io.shown(`${tool.name}  ${visibleText(tool.description.split('\n', 1)[0] ?? '')}\n`);
      for (const prompt of prompts) io.shown(`/${visibleText(promptUsage(prompt))}  ${visibleText(prompt.description)}\n`);
      if (offers.resources) io.note('It has resources: the tool mcp_resources lists and reads them.');
    }
    if (changes.length === 0) return EXIT.done;
    await showChanges(io, name, changes);
    return EXIT.blocked;
  } finally {
    interrupts.dispose();
  }
}

/** `fettle mcp accept NAME`: shows what has changed, and keeps it as accepted; where a person is at the terminal they are asked first. */
export async function acceptChanges(io: Io, name: string): Promise<number> {
  const session = await settingsFor(io, {});
  const server = configuredServer(session.settings.mcp_servers, name);
  const {acceptServer} = await import('../../../mcp/trust/accept-server.ts');
  const interrupts = listenForInterrupts(() => undefined);
  const signal = interrupts.signal();
  let shown = 0;
  const accepts = async (changes: readonly ServerChange[]): Promise<boolean> => {
    shown += changes.length;
    await showChanges(io, name, changes);
    return io.interactive ? await confirm('Accept this? [y]es, [n]o: ', signal) : true;
  };
  try {
    const {open, notices} = await acceptServer({server, place: placeOf(session), accepts}, signal);
    for (const notice of notices) io.note(visibleText(notice));
    if (open.length === 0) io.note(shown === 0 ? `${name}: nothing has changed.` : `${name}: accepted.`);
    else io.note(`${name}: not accepted.`);
    return open.length === 0 ? EXIT.done : EXIT.denied;
  } finally {
    interrupts.dispose();
  }
}

async function showChanges(io: Io, name: string, changes: readonly ServerChange[]): Promise<void> {
  const {changesText} = await import('../../../mcp/trust/accept-changes.ts');
  io.note(`${name} is not as it was accepted:`);
  io.note(changesText(changes));
}

function placeOf({env, cwd, paths}: SessionSettings): ServerPlace {
  return {env, cwd, stateDir: paths.stateDir, version: VERSION};
}

async function settingsFor(io: Io, options: SettingOptions): Promise<SessionSettings> {
  const session = await loadSettings({cwd: options.cwd ?? io.cwd, env: io.env, home: io.home, flags: flagsOf(options)});
  for (const notice of session.notices) io.note(notice);
  return session;
}

function targetOf({command, args, url}: McpServer): string {
  return visibleText(url === undefined ? [command, ...hideInArgs(args ?? [])].join(' ') : hideInUrl(url));
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new FettleError({code: 'USAGE', message: `"${text}" is no port.`, hint: 'Give a number from 0 (any free port) to 65535.'});
}

/** From a file, from FETTLE_MCP_TOKEN, else a new one, which is shown. */
async function tokenFor(io: Io, file: string | undefined): Promise<{readonly token: string}> {
  const given = file === undefined ? io.env['FETTLE_MCP_TOKEN'] : await readSecretFile(file);
  if (given !== undefined) {
    if (given.trim().length >= 16) return {token: given.trim()};
    throw new FettleError({
      code: 'USAGE',
      message: 'The token is too short.',
      hint: 'Give at least 16 characters, or none: then one is made.',
    });
  }
  const token = randomBytes(24).toString('base64url');
  io.note(`Token (send it as Authorization: Bearer …): ${token}`);
  return {token};
}
