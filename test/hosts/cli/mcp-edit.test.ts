import {lstat, readFile, stat, symlink} from 'node:fs/promises';
import {describe, expect, it} from 'vitest';
import {runCommandLine} from '../../../src/hosts/cli/command-line/program.ts';
import {scratch} from '../../support/scratch.ts';
import {capturedIo} from './captured-io.ts';

async function place(config: string | undefined, files: Readonly<Record<string, string>> = {}) {
  const home = await scratch(config === undefined ? {} : {'config.toml': config});
  const work = await scratch({'.git/HEAD': '', ...files});
  return {
    home,
    work,
    async run(...args: string[]) {
      const {io, stdout, stderr} = capturedIo({cwd: work, home, env: {FETTLE_HOME: home}});
      const code = await runCommandLine(['mcp', ...args], io);
      return {code, stdout: stdout(), stderr: stderr()};
    },
    config: async (): Promise<string> => await readFile(`${home}/config.toml`, 'utf8'),
  };
}

const ODD = `# my settings\r
model = "ollama/x"   # the model\r
\r
[limits] # few\r
max_turns = 7\r
`;

const SERVERS = `# before
[[mcp_servers]]   # one
name = "one"
transport = "stdio"
command = "a"
args = [
  "[[mcp_servers]]",
  "# no comment",
]
[mcp_servers.env]
A = """
[limits]
"""

# about two
[["mcp_servers"]]
transport = "http"
url = "https://example.com/mcp"
name = 'two'

# about the limits
[limits]
max_turns = 3
`;

describe('fettle mcp add (design 6)', () => {
  it('by several at once: all are there', async () => {
    const {run} = await place(undefined);
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    await Promise.all(names.map(async (name) => await run('add', name, '--', 'true')));
    const listed = JSON.parse((await run('list', '--json')).stdout) as {readonly name: string}[];
    expect(listed.map(({name}) => name).toSorted()).toEqual(names);
    await Promise.all(names.slice(1).map(async (name) => await run('remove', name)));
    expect(JSON.parse((await run('list', '--json')).stdout)).toMatchObject([{name: 'a'}]);
  });

  it.each([
    ['no file', undefined, ''],
    ['an empty file', '', ''],
    ['comments, CRLF, tables', ODD, `${ODD}\r\n`],
    ['no line end at the end', 'model = "a/b"', 'model = "a/b"\n\n'],
    ['a byte order mark', '\ufeffmodel = "a/b"\n', '\ufeffmodel = "a/b"\n\n'],
    ['other servers', SERVERS, `${SERVERS}\n`],
  ])('%s: adds a table at the end and keeps the rest byte for byte', async (_, config, before) => {
    const {run, config: written, home} = await place(config);
    const {code, stdout} = await run('add', 'files', '--env', 'LOG=a=b', '--', 'npx', '-y', 'pkg');
    const table = `[[mcp_servers]]\nname = "files"\ntransport = "stdio"\ncommand = "npx"\nargs = [ "-y", "pkg" ]\n\n[mcp_servers.env]\nLOG = "a=b"\n`;
    expect([code, stdout, await written()]).toEqual([0, '', before + (before.includes('\r') ? table.replaceAll('\n', '\r\n') : table)]);
    expect((await stat(`${home}/config.toml`)).mode & 0o777).toBe(0o600);
    expect(JSON.parse((await run('list', '--json')).stdout)).toContainEqual({
      name: 'files',
      transport: 'stdio',
      target: 'npx -y pkg',
      disabled: false,
    });
    await run('remove', 'files');
    if (config?.endsWith('\n')) expect(await written()).toBe(config);
  });

  it('an address', async () => {
    const {run, config} = await place('');
    expect((await run('add', 'web', 'https://example.com/mcp')).code).toBe(0);
    expect(await config()).toBe('[[mcp_servers]]\nname = "web"\ntransport = "http"\nurl = "https://example.com/mcp"\n');
  });

  it('repeats no argument, address or variable: any may be a key', async () => {
    const {run} = await place('');
    const {stdout, stderr} = await run('add', 'one', '--env', 'TOKEN=hidden-1', '--', 'x', '--key', 'hidden-2');
    const second = await run('add', 'two', 'https://user:hidden-3@example.com/?key=hidden-4');
    expect(`${stdout}${stderr}${second.stdout}${second.stderr}`).not.toContain('hidden-');
    await expect(run('add', 'three', '--env', 'hidden-5', '--', 'x')).rejects.toMatchObject({message: '--env takes NAME=VALUE.'});
  });

  it.each([
    [['Files', '--', 'x'], 'USAGE', 'name'],
    [['a__b', '--', 'x'], 'USAGE', 'name'],
    [['../x', '--', 'x'], 'USAGE', 'name'],
    [['x', 'https://'], 'USAGE', 'url'],
    [['x', '--env', 'A=b', 'https://example.com'], 'USAGE', '--env'],
    [['x', '--env', '1A=b', '--', 'y'], 'USAGE', 'env'],
    [['x', '--', ''], 'USAGE', 'command'],
    [['x'], 'USAGE', 'target'],
    [['one', '--', 'x'], 'CONFIG', 'has a server one already'],
  ])('%j is refused', async (args, code, message) => {
    const {run, config} = await place(SERVERS);
    await expect(run('add', ...args)).rejects.toMatchObject({code, message: expect.stringContaining(message)});
    expect(await config()).toBe(SERVERS);
  });

  it('--project: in the project, which is not trusted as it is then; through no link', async () => {
    const {run, work} = await place('');
    expect((await run('add', 'files', '--project', '--', 'x')).stderr).toContain('`fettle trust`');
    expect(await readFile(`${work}/.fettle/config.toml`, 'utf8')).toContain('name = "files"');
    expect((await run('list')).stdout).toBe('');
    expect((await run('remove', 'files', '--project')).code).toBe(0);
    const other = await place('');
    await symlink(other.home, `${other.work}/.fettle`);
    await expect(other.run('add', 'files', '--project', '--', 'x')).rejects.toMatchObject({
      code: 'USAGE',
      message: `${other.work}/.fettle is a link.`,
    });
    expect(await other.config()).toBe('');
  });

  it('a configuration file that is a link of its owner stays one', async () => {
    const {run, home, work} = await place(undefined, {'dot.toml': '# mine\n'});
    await symlink(`${work}/dot.toml`, `${home}/config.toml`);
    await run('add', 'x', 'https://example.com');
    expect([
      (await lstat(`${home}/config.toml`)).isSymbolicLink(),
      (await readFile(`${work}/dot.toml`, 'utf8')).startsWith('# mine\n\n[['),
    ]).toEqual([true, true]);
  });

  it.each(['add', 'remove'])('%s: not by a command that Fettle runs', async (verb) => {
    const {home, work} = await place(SERVERS);
    const {io} = capturedIo({cwd: work, home, env: {FETTLE_HOME: home, FETTLE_CALL_ID: 'c'}});
    await expect(runCommandLine(['mcp', verb, 'one', ...(verb === 'add' ? ['https://example.com'] : [])], io)).rejects.toMatchObject({
      code: 'DENIED',
    });
  });
});

describe('fettle mcp remove', () => {
  it.each([
    ['one', '# before\n\n# about two\n', 'one'],
    ['two', 'A = """\n[limits]\n"""\n\n# about two\n\n# about the limits\n', 'two'],
  ])('%s: what is around its table stays byte for byte', async (name, around) => {
    const {run, config} = await place(SERVERS);
    expect((await run('remove', name)).code).toBe(0);
    const left = await config();
    expect([left.includes(around), left.includes(`${name}"`), left.endsWith('# about the limits\n[limits]\nmax_turns = 3\n')]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it.each([
    ['nobody', SERVERS, 'NOT_FOUND'],
    ['one', 'mcp_servers = [{name = "one", transport = "stdio", command = "x"}]\n', 'CONFIG'],
    ['one', '[[mcp_servers]]\nname = "one"\n[limits]\nmax_turns = 1\n[mcp_servers.env]\nA = "1"\n', 'CONFIG'],
  ])('%s: what cannot be taken out alone stays', async (name, text, code) => {
    const {run, config} = await place(text);
    await expect(run('remove', name)).rejects.toMatchObject({code});
    expect(await config()).toBe(text);
  });
});
