import type {Command} from 'commander';
import type {EditOptions} from '../commands/mcp-servers/mcp-edit.ts';
import type {Io} from '../io.ts';
import type {End} from './parsing.ts';
import {addOptions, collect} from './add-options.ts';
import {TOOL_OPTIONS} from './option-facts.ts';
import type {SettingOptions} from './run-options.ts';

/** `fettle mcp …`. */
export function addServerCommands(program: Command, io: Io, end: End): void {
  const mcp = program.command('mcp').description('manage MCP servers, or serve as one');
  addOptions(mcp.command('serve'), TOOL_OPTIONS)
    .description('publish a toolset for this folder, over stdio or HTTP')
    .option('--http <port>', 'listen on 127.0.0.1 instead of stdio; 0 is any free port')
    .option(
      '--token-file <file>',
      'file with the token that HTTP clients must send; defaults to FETTLE_MCP_TOKEN, or to a new token that is printed',
    )
    .action(async (options: SettingOptions & {http?: string; tokenFile?: string}) => {
      const {serveMcp} = await import('../commands/mcp.ts');
      end(await serveMcp(io, options));
    });
  mcp
    .command('list')
    .description('list the configured servers')
    .option('--json', 'print as JSON')
    .action(async (options: {json?: true}) => {
      const {listServers} = await import('../commands/mcp.ts');
      end(await listServers(io, options));
    });
  addEditing(mcp, io, end);
  addStarting(mcp, io, end);
}

/** Commands that change the configuration, and start nothing. */
function addEditing(mcp: Command, io: Io, end: End): void {
  mcp
    .command('add')
    .description('add a server to the configuration: an address, or a command after `--`; starts nothing')
    .argument('<name>', 'its name: its tools are called mcp__NAME__TOOL')
    .argument('<target...>', 'https://…, or -- COMMAND ARGUMENTS…')
    .option('--env <variable>', 'NAME=VALUE, a variable for the command; may be repeated', collect)
    .option('--project', 'add it to .fettle/config.toml of the project instead of your own configuration')
    .action(async (name: string, target: string[], options: EditOptions) => {
      const {addServer} = await import('../commands/mcp-servers/mcp-edit.ts');
      end(await addServer(io, {name, target}, options));
    });
  mcp
    .command('remove')
    .description('remove a server from the configuration')
    .argument('<name>', 'the server')
    .option('--project', 'remove it from .fettle/config.toml of the project instead of your own configuration')
    .action(async (name: string, options: EditOptions) => {
      const {removeServer} = await import('../commands/mcp-servers/mcp-edit.ts');
      end(await removeServer(io, name, options));
    });
}

/** Commands that talk to a server, or to who logs people in to it. */
function addStarting(mcp: Command, io: Io, end: End): void {
  mcp
    .command('test')
    .description('start a configured server and show its tools')
    .argument('<name>', 'the server')
    .action(async (name: string) => {
      const {testServer} = await import('../commands/mcp-servers/review-server.ts');
      end(await testServer(io, name));
    });
  mcp
    .command('accept')
    .description('accept changes of a configured server since it was first used')
    .argument('<name>', 'the server')
    .action(async (name: string) => {
      const {acceptChanges} = await import('../commands/mcp-servers/review-server.ts');
      end(await acceptChanges(io, name));
    });
  mcp
    .command('login')
    .description('log in to a configured server in a browser (OAuth)')
    .argument('<name>', 'the server')
    .action(async (name: string) => {
      const {loginToServer} = await import('../commands/mcp-servers/mcp-login.ts');
      end(await loginToServer(io, name));
    });
  mcp
    .command('logout')
    .description('delete the stored login of a server')
    .argument('<name>', 'the server')
    .action(async (name: string) => {
      const {logoutFromServer} = await import('../commands/mcp-servers/mcp-login.ts');
      end(await logoutFromServer(io, name));
    });
}
