import {randomBytes} from 'node:crypto';
import {FettleError} from '../../../base/errors.ts';
import {visibleText} from '../../../base/visible-text.ts';
import {readSecretFile} from '../../../config/private-file.ts';
import {hideInArgs, hideInUrl} from '../../../config/secret-parts.ts';
import type {McpServer} from '../../../config/settings.ts';
import {EXIT} from '../../../protocol/exit-code.ts';
import {listenForInterrupts} from '../interrupt.ts';
import type {Io} from '../io.ts';
import type {SettingOptions} from '../command-line/run-options.ts';
import {settingsFor} from '../settings-for.ts';

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

function targetOf({command, args, url}: McpServer): string {
  return visibleText(url === undefined ? [command, ...hideInArgs(args ?? [])].join(' ') : hideInUrl(url));
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new FettleError({code: 'USAGE', message: `"${text}" is not a port.`, hint: 'Give a number from 0 (any free port) to 65535.'});
}

/** From a file, from FETTLE_MCP_TOKEN, else a new one, which is shown. */
async function tokenFor(io: Io, file: string | undefined): Promise<{readonly token: string}> {
  const secret = file === undefined ? io.env['FETTLE_MCP_TOKEN'] : await readSecretFile(file);
  if (secret !== undefined) {
    if (secret.trim().length >= 16) return {token: secret.trim()};
    throw new FettleError({
      code: 'USAGE',
      message: 'The token is too short.',
      hint: 'Give at least 16 characters, or none to have one generated.',
    });
  }
  const token = randomBytes(24).toString('base64url');
  io.note(`Token (send it as Authorization: Bearer …): ${token}`);
  return {token};
}
