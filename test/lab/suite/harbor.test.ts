import {execFileSync, spawnSync} from 'node:child_process';
import {chmod, readFile, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {scratch} from '../../support/scratch.ts';
import {read} from './suite-cases.ts';

const DOCKERFILE = 'FROM ubuntu:24.04\nWORKDIR /app\n';
const TOML = 'version = "1.0"\n[verifier]\ntimeout_sec = 30.0\n[agent]\ntimeout_sec = 60.0\n';
const SIMPLE = {
  't/task.toml': TOML,
  't/instruction.md': 'Write x.\n',
  't/environment/Dockerfile': DOCKERFILE,
  't/tests/test.sh': 'test -f /app/x && echo 1 > /logs/verifier/reward.txt\n',
};

/** A test script as those of Harbor begin. */
const TEMPLATE = `#!/bin/bash
apt-get update
apt-get install -y curl

curl -LsSf https://astral.sh/uv/0.9.7/install.sh | sh
source $HOME/.local/bin/env
uvx \\
  --with pytest==8.4.1 \\
  --with pytest-json-ctrf==0.3.5 \\
  pytest --ctrf /logs/verifier/ctrf.json /tests/test_a.py -rA
if [ $? -eq 0 ]; then
  echo 1 > /logs/verifier/reward.txt
else echo 0 > /logs/verifier/reward.txt
fi
`;

describe('a task of Harbor', () => {
  it('whose image is only a folder runs in a scratch root', async () => {
    const folder = await scratch({...SIMPLE, 't/solution/solve.sh': 'touch /app/x\n'});
    const {tasks, broken} = await read(folder, {importsFolder: await scratch()});
    expect({broken, task: {...tasks[0], digest: ''}}).toEqual({
      broken: [],
      task: {
        id: 't',
        format: 'harbor',
        digest: '',
        steps: [
          {
            name: 'task',
            prompt: 'Write x.\n',
            setUp: [],
            verify: {
              command: 'bash /tests/test.sh',
              tests: [join(folder, 't/tests')],
              testsAt: '/tests',
              rewardFiles: ['/logs/verifier/reward.json', '/logs/verifier/reward.txt'],
              timeoutS: 30,
              env: {},
            },
          },
        ],
        start: {kind: 'empty'},
        place: {kind: 'root', workdir: '/app', env: {}, copies: [], network: true, mcpServers: []},
        limits: {agentTimeS: 60},
        lacks: [],
        labels: {},
        script: expect.stringMatching(/\/script\.json$/),
      },
    });
    const script = JSON.parse(await readFile(tasks[0]?.script ?? '', 'utf8')) as {replies: {toolCalls?: unknown}[]};
    expect(script.replies[0]?.toolCalls).toEqual([
      {name: 'write', arguments: {path: 'known-solution.sh', content: 'touch /app/x\n'}},
      {name: 'bash', arguments: {command: 'bash known-solution.sh; code=$?; rm known-solution.sh; exit $code'}},
    ]);
  });

  it('may have steps with files, set-up, health checks, variables and least rewards', async () => {
    const folder = await scratch({
      't/task.toml': `schema_version = "1.4"
[metadata]\ndifficulty = "easy"\ntags = ["a", "b"]\nnested = {x = 1}\n[task]\nname = "org/t"
[verifier]\ntimeout_sec = 9\nenv = {A = "1", B = "\${HOST:-two}"}
[environment]\nallow_internet = false\nenv = {PROJECT = "p"}
[[steps]]\nname = "one"\nmin_reward = 0.5\n[steps.agent]\ntimeout_sec = 10
[[steps]]\nname = "two"\n[steps.agent]\ntimeout_sec = 20\n[steps.verifier]\nenv = {A = "2"}
[steps.healthcheck]\ncommand = "test -e 'x'"\ninterval_sec = 1\ntimeout_sec = 5\nretries = 2\n`,
      't/environment/Dockerfile': `${DOCKERFILE}COPY data/ /app/data/\nCOPY a.txt b.txt ./\nRUN mkdir -p /app/out\n`,
      't/environment/data/d.csv': '1',
      't/environment/a.txt': 'a',
      't/environment/b.txt': 'b',
      't/tests/helpers.sh': '',
      't/steps/one/instruction.md': 'One.',
      't/steps/one/tests/test.sh': 'exit 0',
      't/steps/two/instruction.md': 'Two.',
      't/steps/two/tests/test.sh': 'exit 0',
      't/steps/two/workdir/setup.sh': 'rm -- "$0"',
    });
    const [task] = (await read(folder)).tasks;
    const at = (path: string): string => join(folder, 't', path);
    const verify = {command: 'bash /tests/test.sh', testsAt: '/tests', timeoutS: 9};
    const rewardFiles = ['/logs/verifier/reward.json', '/logs/verifier/reward.txt'];
    expect({...task, digest: ''}).toEqual({
      id: 't',
      format: 'harbor',
      digest: '',
      steps: [
        {
          name: 'one',
          prompt: 'One.',
          setUp: ["cd '/app' && { mkdir -p /app/out; }"],
          verify: {...verify, tests: [at('tests'), at('steps/one/tests')], rewardFiles, env: {A: '1', B: 'two'}},
          minReward: 0.5,
        },
        {
          name: 'two',
          prompt: 'Two.',
          files: at('steps/two/workdir'),
          setUp: [
            'bash setup.sh',
            `n=0; until timeout 5 sh -c 'test -e '\\''x'\\'''; do n=$((n + 1)); [ "$n" -lt 2 ] || exit 1; sleep 1; done`,
          ],
          verify: {...verify, tests: [at('tests'), at('steps/two/tests')], rewardFiles, env: {A: '2', B: 'two'}},
        },
      ],
      start: {kind: 'empty'},
      place: {
        kind: 'root',
        workdir: '/app',
        env: {PROJECT: 'p'},
        copies: [
          {from: at('environment/data'), to: '/app/data'},
          {from: at('environment/a.txt'), to: '/app/a.txt'},
          {from: at('environment/b.txt'), to: '/app/b.txt'},
        ],
        network: false,
        mcpServers: [],
      },
      limits: {agentTimeS: 20},
      lacks: [],
      labels: {difficulty: 'easy', tags: 'a, b', name: 'org/t'},
    });
  });

  it('may have MCP servers and skills', async () => {
    const folder = await scratch({
      ...SIMPLE,
      't/task.toml': `${TOML}[environment]\nskills_dir = "/skills"
[[environment.mcp_servers]]\nname = "a"\ntransport = "streamable-http"\nurl = "http://127.0.0.1:1/mcp"
[[environment.mcp_servers]]\nname = "b"\ntransport = "stdio"\ncommand = "python3"\nargs = ["-m", "x"]\n`,
      't/environment/Dockerfile': `${DOCKERFILE}COPY skills/ /skills/\n`,
      't/environment/skills/s/SKILL.md': 'x',
    });
    const [task] = (await read(folder)).tasks;
    expect([task?.place.mcpServers, task?.place.skills, task?.place.copies, task?.lacks]).toEqual([
      [
        {name: 'a', transport: 'http', url: 'http://127.0.0.1:1/mcp'},
        {name: 'b', transport: 'stdio', command: 'python3', args: ['-m', 'x']},
      ],
      join(folder, 't/environment/skills'),
      [],
      [],
    ]);
  });

  it.each([
    ['a GPU', {'t/task.toml': `${TOML}[environment]\ngpus = 2\n`}, ['It needs 2 GPUs.']],
    [
      'variables of the host',
      {'t/task.toml': `${TOML}[verifier.env]\nKEY = "\${OPENAI_API_KEY}"\n[environment.env]\nK = "\${HOME}"\n`},
      [
        'environment.env: the variable HOME of this machine, which tasks do not get.',
        'verifier.env: the variable OPENAI_API_KEY of this machine, which tasks do not get.',
      ],
    ],
    [
      'services',
      {'t/environment/docker-compose.yaml': 'services: {}\n'},
      ['environment/docker-compose.yaml: services beside its container.'],
    ],
    [
      'a verification that installs',
      {'t/tests/test.sh': '#!/bin/bash\n# curl x\nset -e\ncurl -LsSf https://example.com/install.sh | sh\n'},
      ['tests/test.sh:4: its verification installs programs: curl -LsSf https://example.com/install.sh | sh'],
    ],
    [
      'no Dockerfile but an image',
      {'t/environment/Dockerfile': undefined, 't/environment/x': '', 't/task.toml': `${TOML}[environment]\ndocker_image = "org/x:1"\n`},
      ['environment/Dockerfile:1: there is none: what the image org/x:1 holds is not known.'],
    ],
    [
      'single hosts of the network',
      {'t/task.toml': `${TOML}[environment]\nnetwork_mode = "allowlist"\n`},
      ['It allows single hosts of the network (environment.network_mode).'],
    ],
    [
      'a reward of the last step alone',
      {
        't/task.toml': `multi_step_reward_strategy = "final"\n${TOML}[[steps]]\nname = "a"\nmin_reward = {x = 1}\n[[steps]]\nname = "b"\n`,
        't/steps/a/instruction.md': 'x',
        't/steps/b/instruction.md': 'x',
      },
      ['steps.a.min_reward is not one number.', 'Its reward is that of the last step alone (multi_step_reward_strategy = "final").'],
    ],
  ])('with %s is imported, and says what it lacks', async (_, files, lacks) => {
    const all = Object.entries({...SIMPLE, ...files}).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const {tasks, broken} = await read(await scratch(Object.fromEntries(all)));
    expect([broken, tasks[0]?.lacks]).toEqual([[], lacks]);
  });

  it('needs bubblewrap, or a container engine, which also builds what a scratch root cannot be; the digest is the same', async () => {
    const folder = await scratch({...SIMPLE, 't/environment/Dockerfile': `${DOCKERFILE}RUN pip install numpy\nENV A=b\n`});
    const [without, withEngine] = [await read(folder, {programs: new Set(['ls'])}), await read(folder, {hasContainers: async () => true})];
    expect(without.tasks[0]?.lacks).toEqual([
      'Without a container its folders /app, /tests and /logs need bubblewrap (bwrap) on Linux.',
      'environment/Dockerfile:3: RUN pip install numpy: runs pip.',
    ]);
    expect(withEngine.tasks[0]?.lacks).toEqual([]);
    expect(withEngine.tasks[0]?.place.container).toEqual({dockerfile: join(folder, 't/environment/Dockerfile'), buildTimeoutS: 600});
    expect(withEngine.tasks[0]?.digest).toBe(without.tasks[0]?.digest);
  });

  it('asks for an engine only where a task needs one, and takes image, limits and working folder from task.toml', async () => {
    const asked: string[] = [];
    const ask = (suite: string) => async (): Promise<boolean> => {
      asked.push(suite);
      return true;
    };
    await read(await scratch(SIMPLE), {hasContainers: ask('simple')});
    const limits = 'docker_image = "org/x:1"\nworkdir = "/srv"\nbuild_timeout_sec = 9\ncpus = 0.5\nenv = {PATH = "/x"}\n';
    const folder = await scratch({
      ...SIMPLE,
      't/task.toml': `${TOML}[environment]\nmemory_mb = 64\n${limits}`,
      'u/task.toml': `${TOML}[environment]\nmemory = "2G"\n${limits}`,
      'u/instruction.md': 'x',
      'u/environment/docker-compose.yaml': 'services: {}\n',
      'u/tests/test.sh': 'exit 0',
    });
    const {tasks} = await read(folder, {hasContainers: ask('limits')});
    const container = {image: 'org/x:1', workdir: '/srv', buildTimeoutS: 9, cpus: 0.5};
    expect(tasks.map(({place, lacks}) => [place.container, place.env, lacks])).toEqual([
      [{...container, dockerfile: join(folder, 't/environment/Dockerfile'), memory: '64m'}, {PATH: '/x'}, []],
      [{...container, memory: '2g'}, {PATH: '/x'}, ['environment/docker-compose.yaml: services beside its container.']],
    ]);
    expect(asked).toEqual(['limits', 'limits']);
  });

  it.each([
    ['no instruction', {'t/instruction.md': ''}, 't/instruction.md: empty'],
    ['no test', {'t/tests/test.sh': undefined, 't/tests/x': ''}, 't/tests/test.sh: missing'],
    [
      'a test script of another system',
      {'t/tests/test.sh': 'exit 0\r\n'},
      't/tests/test.sh: lines that end with CR LF, which bash does not understand: write it with LF',
    ],
    [
      'a step that leads out',
      {'t/task.toml': '[[steps]]\nname = ".."\n'},
      't/task.toml:2: steps[0].name must be a plain name of letters, digits, ".", "_" and "-"',
    ],
    ['two steps of one name', {'t/task.toml': '[[steps]]\nname = "a"\n[[steps]]\nname = "a"\n'}, 't/task.toml:4: two steps are called a'],
    [
      'a server without an address',
      {'t/task.toml': '[[environment.mcp_servers]]\nname = "x"\n'},
      't/task.toml:1: environment.mcp_servers[0] has no url',
    ],
    [
      'a time that is none',
      {'t/task.toml': '[agent]\ntimeout_sec = "long"\n'},
      't/task.toml:2: agent.timeout_sec must be a number above 0 and at most 604800',
    ],
  ])('with %s is broken', async (_, files, problem) => {
    const all = Object.entries({...SIMPLE, ...files}).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const folder = await scratch(Object.fromEntries(all));
    expect((await read(folder)).broken).toEqual([{id: 't', problem: `${folder}/${problem}`}]);
  });

  it.each([
    ['as it is', TEMPLATE, []],
    [
      'another package',
      TEMPLATE.replace('--with pytest-json-ctrf==0.3.5', '--with numpy'),
      ['tests/test.sh:7: its verification installs programs: uvx'],
    ],
    [
      'another program',
      TEMPLATE.replace('apt-get install -y curl', 'apt-get install -y curl ffmpeg'),
      ['tests/test.sh: ffmpeg is not on PATH.'],
    ],
    ['another command', `${TEMPLATE}pip install x\n`, ['tests/test.sh:15: its verification installs programs: pip install x']],
  ])('runs the usual test script of Harbor with the pytest that is there: %s', async (_, test, lacks) => {
    const folder = await scratch({...SIMPLE, 't/tests/test.sh': test});
    const programs = new Set(['bash', 'ls', 'bwrap', 'curl', 'python3', 'pytest']);
    const [task] = (await read(folder, {programs})).tasks;
    expect(task?.lacks.map((line) => line.slice(0, 56))).toEqual(lacks.map((line) => line.slice(0, 56)));
    const [within] = (await read(folder, {hasContainers: async () => true})).tasks;
    expect([within?.lacks, within?.steps[0]?.verify.command, within?.digest]).toEqual([[], 'bash /tests/test.sh', task?.digest]);
    if (lacks.length > 0) return;
    // The script runs with a pytest that notes its arguments.
    const place = await scratch({
      'bin/python3': '#!/bin/sh\nprintf "%s|" "$@" > args\n',
      'tests/test.sh': test.replaceAll('/logs/verifier', 'logs').replaceAll('/tests/', 'tests/'),
      'logs/x': '',
    });
    await chmod(join(place, 'bin/python3'), 0o755);
    const command = task?.steps[0]?.verify.command.replaceAll('/tests/', 'tests/') ?? '';
    const {stderr} = spawnSync('bash', ['-c', command], {
      cwd: place,
      env: {PATH: `${place}/bin:/usr/bin:/bin`, HOME: place},
      encoding: 'utf8',
    });
    expect([stderr, await readFile(join(place, 'args'), 'utf8'), await readFile(join(place, 'logs/reward.txt'), 'utf8')]).toEqual([
      '',
      '-m|pytest|-p|no:cacheprovider|tests/test_a.py|-rA|',
      '1\n',
    ]);
  });

  it('has no step, test or environment that is a link to another place', async () => {
    const outside = await scratch({
      'step/instruction.md': 'x',
      'step/tests/test.sh': 'x',
      'step/Dockerfile': 'FROM ubuntu\n',
      'step/test.sh': 'x',
    });
    const problems: unknown[] = [];
    for (const name of ['steps/one', 'environment', 'tests']) {
      const others = Object.entries(SIMPLE).filter(([path]) => !path.startsWith(`t/${name}/`));
      const folder = await scratch({
        ...Object.fromEntries(others),
        ...(name === 'steps/one' ? {'t/task.toml': '[[steps]]\nname = "one"\n', 't/steps/x': ''} : {}),
      });
      await symlink(join(outside, 'step'), join(folder, 't', name));
      const {tasks, broken} = await read(folder);
      problems.push([tasks.length, broken[0]?.problem.replace(`${folder}/`, '').split(':')[0]]);
    }
    expect(problems).toEqual([
      [0, 't/steps/one/tests/test.sh'],
      [0, 't/environment'],
      [0, 't/tests'],
    ]);
  });

  it('waits for a health check as Docker does', async () => {
    const folder = await scratch({
      ...SIMPLE,
      't/task.toml': `${TOML}[environment.healthcheck]\ncommand = "echo x >> n; test $(wc -l < n) -ge 3"\ninterval_sec = 0.01\nretries = 3\n`,
    });
    const line = (await read(folder)).tasks[0]?.steps[0]?.setUp[0] ?? 'none';
    const cwd = await scratch();
    expect(spawnSync('sh', ['-c', line], {cwd}).status).toBe(0);
    expect(execFileSync('wc', ['-l'], {cwd, input: execFileSync('cat', ['n'], {cwd}), encoding: 'utf8'}).trim()).toBe('3');
    expect(spawnSync('sh', ['-c', line.replace('-lt 3', '-lt 2').replace('-ge 3', '-ge 9')], {cwd}).status).toBe(1);
  });
});
