import {spawnSync} from 'node:child_process';
import {chmod, mkdir, readFile, readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {scratch} from '../support/scratch.ts';
import {LAUNCHER} from './support.ts';

const AGENT = join(import.meta.dirname, '../../integrations/harbor');
const hasPython = spawnSync('python3', ['--version']).status === 0;

/** A stand-in for Harbor: the calls that an installed agent gets, with a shell on this machine in the place of a container. */
const HARBOR = {
  'harbor/__init__.py': '',
  'harbor/agents/__init__.py': '',
  'harbor/agents/installed/__init__.py': '',
  'harbor/agents/installed/base.py': `
import functools
import os
import subprocess


def with_prompt_template(run):
    @functools.wraps(run)
    async def wrapped(self, instruction, environment, context):
        return await run(self, "Task: " + instruction, environment, context)
    return wrapped


class NonZeroAgentExitCodeError(RuntimeError):
    pass


class BaseInstalledAgent:
    SUPPORTS_ATIF = False

    def __init__(self, logs_dir, model_name=None, version=None, mcp_servers=None, skills_dir=None, **kwargs):
        assert not kwargs, kwargs
        self.logs_dir, self.model_name, self._version = logs_dir, model_name, version
        self.mcp_servers, self.skills_dir = mcp_servers or [], skills_dir

    async def exec_as_root(self, environment, command, env=None, cwd=None, timeout_sec=None):
        return environment.run("root", command, env)

    async def exec_as_agent(self, environment, command, env=None, cwd=None, timeout_sec=None):
        return environment.run("agent", command, env)
`,
  'trial.py': `
import asyncio
import json
import os
import subprocess
import sys
from types import SimpleNamespace
from fettle_agent import FettleAgent
from harbor.agents.installed.base import NonZeroAgentExitCodeError

folder, options = sys.argv[1], json.loads(sys.argv[2])


class Environment:
    """Folders of a container, below a folder of ours."""
    seen = []

    async def upload_file(self, source, target):
        self.seen.append(["upload", os.path.basename(str(source)), target])

    def run(self, user, command, env):
        for name in ("/opt/fettle", "/logs/agent", "/tmp/fettle-home"):
            command = command.replace(name, folder + name)
        env = {key: value.replace("/tmp/fettle-home", folder + "/tmp/fettle-home") for key, value in (env or {}).items()}
        self.seen.append([user, sorted(env)])
        done = subprocess.run(["sh", "-c", command], cwd=folder + "/app", env={"PATH": os.environ["CONTAINER_PATH"], "HOME": folder, **env}, capture_output=True, text=True)
        if done.returncode != 0:
            raise NonZeroAgentExitCodeError(f"{done.returncode}: {done.stderr}")
        return done


servers = [SimpleNamespace(**one) for one in options.pop("mcp_servers", [])]
agent = FettleAgent(logs_dir=folder + "/logs/agent", mcp_servers=servers, **options)
context, environment, error = SimpleNamespace(), Environment(), None
async def trial():
    await agent.install(environment)
    await agent.run("write x", environment, context)
try:
    asyncio.run(trial())
except Exception as thrown:
    error = type(thrown).__name__ + ": " + str(thrown)
agent.populate_context_post_run(context)
print(json.dumps({"name": agent.name(), "atif": agent.SUPPORTS_ATIF, "seen": environment.seen, "context": vars(context), "error": error}))
`,
};

interface Trial {
  readonly folder: string;
  readonly said: {
    readonly name: string;
    readonly atif: boolean;
    readonly seen: readonly unknown[];
    readonly context: object;
    readonly error: string | null;
  };
}

/** A container in which `npm install` installs the built command. */
async function trial(options: object, files: Readonly<Record<string, string>> = {}): Promise<Trial> {
  const folder = await scratch({...HARBOR, 'app/x': '', ...files});
  const npm = `#!/bin/sh\necho "$@" >> '${folder}/npm.txt'\nmkdir -p "$5/node_modules/.bin"\nprintf '#!/bin/sh\\nexec node "%s" "$@"\\n' '${LAUNCHER}' > "$5/node_modules/.bin/fettle"\nchmod +x "$5/node_modules/.bin/fettle"\n`;
  await mkdir(join(folder, 'bin'));
  for (const [name, text] of Object.entries({npm, node: `#!/bin/sh\nexec '${process.execPath}' "$@"\n`})) {
    await writeFile(join(folder, 'bin', name), text);
    await chmod(join(folder, 'bin', name), 0o755);
  }
  const done = spawnSync('python3', [join(folder, 'trial.py'), folder, JSON.stringify(options)], {
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'] ?? '',
      CONTAINER_PATH: `${folder}/bin:/usr/bin:/bin`,
      PYTHONPATH: `${AGENT}:${folder}`,
      OPENAI_API_KEY: 'k',
      PYTHONDONTWRITEBYTECODE: '1',
    },
  });
  expect(done.stderr).toBe('');
  return {folder, said: JSON.parse(done.stdout) as Trial['said']};
}

const SCRIPT = JSON.stringify({
  replies: [
    {
      text: 'I write it.',
      toolCalls: [{name: 'write', arguments: {path: 'y', content: 'done\n'}}],
      usage: {input_tokens: 10, output_tokens: 2},
    },
    {text: 'Written.', usage: {input_tokens: 20, cached_input_tokens: 8, output_tokens: 3}},
  ],
});

describe.skipIf(!hasPython)('Fettle as an installed agent of Harbor', () => {
  it('is installed, run, and leaves its events and its trajectory', async () => {
    const skills = {'skills/s/SKILL.md': '---\nname: s\ndescription: d\n---\nx\n'};
    const scripts = await scratch({'script.json': SCRIPT});
    const {folder, said} = await trial({model_name: `script:${scripts}/script.json`, version: '0.1.0', max_turns: 5}, skills);
    expect({...said, context: 0}).toEqual({
      name: 'fettle',
      atif: true,
      seen: [
        ['root', []],
        ['agent', ['FETTLE_HOME']],
        ['agent', ['FETTLE_HOME']],
        ['agent', ['FETTLE_HOME']],
      ],
      context: 0,
      error: null,
    });
    expect(said.context).toEqual({n_input_tokens: 30, n_output_tokens: 5, n_cache_tokens: 8, cost_usd: 0});
    expect(await readFile(join(folder, 'app/y'), 'utf8')).toBe('done\n');
    expect(await readFile(join(folder, 'npm.txt'), 'utf8')).toBe(
      `install --no-audit --no-fund --prefix ${folder}/opt/fettle/package fettle@0.1.0\n`,
    );
    expect((await readdir(join(folder, 'logs/agent'))).toSorted()).toEqual(['events.jsonl', 'fettle.txt', 'trajectory.json']);
    const trajectory = JSON.parse(await readFile(join(folder, 'logs/agent/trajectory.json'), 'utf8')) as {
      readonly schema_version: string;
      readonly steps: readonly {readonly source: string; readonly message: string}[];
    };
    expect(trajectory.schema_version).toMatch(/^ATIF-v1\.\d+$/);
    expect(trajectory.steps.filter(({source}) => source !== 'system').map(({source, message}) => [source, message])).toEqual([
      ['user', 'Task: write x'],
      ['agent', 'I write it.'],
      ['agent', 'Written.'],
    ]);
  });

  it('gets the servers and skills of the task, and the keys of its provider alone', async () => {
    const made = await scratch({'skills/s/SKILL.md': '---\nname: s\ndescription: d\n---\nx\n'});
    const {folder, said} = await trial({
      model_name: 'openai/none',
      package: join(AGENT, 'README.md'),
      skills_dir: join(made, 'skills'),
      toolset: 'none-such',
      mcp_servers: [
        {name: 'a', transport: 'streamable-http', url: 'http://127.0.0.1:1/"x"', command: null, args: null},
        {name: 'b', transport: 'stdio', url: null, command: 'python3', args: ['-m', 'x y']},
      ],
    });
    expect([said.seen[0], said.seen[3]]).toEqual([
      ['upload', 'README.md', '/tmp/fettle.tgz'],
      ['agent', ['FETTLE_HOME', 'OPENAI_API_KEY']],
    ]);
    // An infrastructure failure is one of Harbor's, with the reason.
    expect(said.error).toMatch(/^NonZeroAgentExitCodeError: 2: .*none-such/s);
    expect(await readFile(join(folder, 'tmp/fettle-home/config.toml'), 'utf8')).toBe(
      '# Written for one trial.\n[[mcp_servers]]\nname = "a"\ntransport = "http"\nurl = "http://127.0.0.1:1/\\"x\\""\n' +
        '[[mcp_servers]]\nname = "b"\ntransport = "stdio"\ncommand = "python3"\nargs = ["-m", "x y"]\n',
    );
    expect(await readdir(join(folder, 'tmp/fettle-home/skills'))).toEqual(['s']);
  });

  it('leaves a limit that was reached to the tests of the task', async () => {
    const scripts = await scratch({'script.json': SCRIPT});
    const {said} = await trial({model_name: `script:${scripts}/script.json`, max_turns: 1});
    expect([said.error, said.context]).toEqual([null, {n_input_tokens: 10, n_output_tokens: 2, n_cache_tokens: 0, cost_usd: 0}]);
  });
});
