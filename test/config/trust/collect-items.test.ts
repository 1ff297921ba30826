import {execFileSync} from 'node:child_process';
import {mkdir, symlink, truncate, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {collectItems} from '../../../src/config/trust/collect-items.ts';
import {projectRoot} from '../../../src/config/trust/project-root.ts';
import {scratch} from '../../support/scratch.ts';

const collect = async (root: string, {cwd = root, own = [] as string[]} = {}) => {
  const {items, problems} = await collectItems({root, cwd, own});
  return {items: items.map(({kind, path}) => `${kind} ${path}`), problems};
};

describe('collectItems: what a project brings along', () => {
  it('is everything that would be run or loaded, and nothing else', async () => {
    const root = await scratch({
      '.fettle/config.toml': '',
      '.fettle/tools/a.ts': '',
      '.fettle/tools/prompts/a.md': '',
      '.fettle/tools/_part.ts': '',
      '.fettle/hooks.toml': '',
      '.fettle/hooks/x.sh': '',
      '.fettle/skills/s/SKILL.md': '',
      '.agents/skills/t/SKILL.md': '',
      '.agents/skills/t/run.py': '',
      '.fettle/agents/a.md': '',
      '.fettle/commands/c.md': '',
      '.fettle/tasks/thr_1/spec.md': '',
      '.mcp.json': '{}',
      'AGENTS.md': '',
      'sub/AGENTS.md': '',
      'sub/deep/AGENTS.md': '',
      'other/AGENTS.md': '',
      'CLAUDE.md': '',
      '.env': 'FETTLE_HOME=.\n',
    });
    expect(await collect(root, {cwd: join(root, 'sub/deep')})).toEqual({
      items: [
        'skill .agents/skills/t/SKILL.md',
        'skill .agents/skills/t/run.py',
        'agent .fettle/agents/a.md',
        'command .fettle/commands/c.md',
        'config .fettle/config.toml',
        'hook .fettle/hooks.toml',
        'hook .fettle/hooks/x.sh',
        'skill .fettle/skills/s/SKILL.md',
        'tool .fettle/tools/_part.ts',
        'tool .fettle/tools/a.ts',
        'tool .fettle/tools/prompts/a.md',
        'mcp .mcp.json',
        'instructions AGENTS.md',
        'instructions sub/AGENTS.md',
        'instructions sub/deep/AGENTS.md',
      ],
      problems: [],
    });
  });

  it('the scripts that a hook, a server or the settings name, and what those and tools import, are items too (CVE-2025-54136)', async () => {
    const root = await scratch({
      '.fettle/hooks.toml': '[[hooks]]\ncommand = "sh ./check.sh --config=conf/x.yml ../outside.sh /etc/passwd"\n',
      '.fettle/hooks/run': 'exec "$PWD"/tools/run.py; python tools/run.py\n',
      '.mcp.json': '{"mcpServers": {"a": {"command": "node", "args": ["\\u0073erver.js", "."]}}}',
      '.fettle/config.toml': 'model = "not/named"\n[[mcp_servers]]\nname = "b"\ntransport = "stdio"\ncommand = "bin/b"\n',
      '.fettle/tools/a.ts':
        "import {b} from '../../lib/b.ts';\nconst c = await import('./c.mjs');\nrequire(\"../../lib/d.cjs\");\nimport 'node:fs';",
      '.fettle/tools/c.mjs': '',
      'lib/b.ts': "export {x} from './deeper/x.ts';",
      'lib/deeper/x.ts': "import '../b.ts';",
      'lib/d.cjs': '',
      'check.sh': '',
      'conf/x.yml': '',
      'tools/run.py': '',
      'server.js': "const {answer} = require('./lib/answer');",
      'lib/answer.js': "import './deeper/y.js';",
      'lib/deeper/y.js': '',
      'bin/b': '',
      'not/named': '',
    });
    const {items, problems} = await collect(root);
    expect({items: items.filter((item) => !/ (?:\.fettle\/(?:hooks|config)|\.mcp)/.test(item)), problems}).toEqual({
      items: [
        'tool .fettle/tools/a.ts',
        'tool .fettle/tools/c.mjs',
        'program bin/b',
        'program check.sh',
        'program conf/x.yml',
        'program lib/answer.js',
        'tool lib/b.ts',
        'tool lib/d.cjs',
        'tool lib/deeper/x.ts',
        'program lib/deeper/y.js',
        'program server.js',
        'program tools/run.py',
      ],
      problems: [],
    });
  });

  it('rules, one instruction file of each folder, and what they import, five deep; no secrets, nothing outside (Rules File Backdoor)', async () => {
    const chain = Object.fromEntries(Array.from({length: 7}, (_, at) => [`docs/${at}.md`, `@${at + 1}.md @0.md`]));
    const root = await scratch({
      ...chain,
      'AGENTS.md': '@docs/0.md, @.env and @../x.md; `@not.md` @someone @src',
      'sub/AGENTS.override.md': '',
      'sub/AGENTS.md': 'hidden by the override',
      'sub/deep/CLAUDE.md': '@../../more.txt',
      '.fettle/rules/a/b.md': '@rule-part.md',
      '.fettle/rules/a/rule-part.md': '',
      'more.txt': '',
      'not.md': '',
      '.env': 'SECRET=1',
      'src/x.ts': '',
    });
    const {items, problems} = await collectItems({root, cwd: join(root, 'sub/deep'), own: [], mayImport: (path) => path !== '.env'});
    expect({items: items.map(({kind, path}) => `${kind} ${path}`), problems}).toEqual({
      items: [
        'rule .fettle/rules/a/b.md',
        'rule .fettle/rules/a/rule-part.md',
        'instructions AGENTS.md',
        'import docs/0.md',
        'import docs/1.md',
        'import docs/2.md',
        'import docs/3.md',
        'import docs/4.md',
        'import more.txt',
        'instructions sub/AGENTS.override.md',
        'instructions sub/deep/CLAUDE.md',
      ],
      problems: [],
    });
  });

  it('deep: also the instructions of all other folders, but hidden ones, those of others, and repositories of their own', async () => {
    const root = await scratch({
      'a/AGENTS.md': '',
      'a/b/GEMINI.md': '',
      'a/node_modules/x/AGENTS.md': '',
      '.hidden/AGENTS.md': '',
      'repo/.git/HEAD': '',
      'repo/AGENTS.md': '',
      'repo/in/AGENTS.md': '',
    });
    await symlink(join(root, 'a'), join(root, 'link'));
    const names = async (deep: boolean): Promise<string[]> =>
      (await collectItems({root, cwd: root, own: [], instructionFiles: ['GEMINI.md'], deep})).items.map(({path}) => path);
    expect([await names(true), await names(false)]).toEqual([['a/AGENTS.md', 'a/b/GEMINI.md'], []]);
  });

  it('links, other files than regular ones, and what is too large are not items, and are named', async () => {
    const outside = await scratch({'evil.ts': '', 'folder/x.ts': ''});
    const root = await scratch({'.fettle/tools/ok.ts': '', 'README.md': 'read me', 'big/AGENTS.md': ''});
    await symlink(join(outside, 'evil.ts'), join(root, '.fettle/tools/out.ts'));
    await symlink('missing', join(root, '.fettle/tools/dangling.ts'));
    await symlink(join(outside, 'folder'), join(root, '.fettle/tools/folder'));
    await symlink(outside, join(root, '.agents'));
    await mkdir(join(outside, 'skills'));
    await symlink('README.md', join(root, 'AGENTS.md'));
    execFileSync('mkfifo', [join(root, '.mcp.json')]);
    await truncate(join(root, 'big/AGENTS.md'), 5 * 1024 * 1024);
    expect(await collect(root, {cwd: join(root, 'big')})).toEqual({
      items: ['tool .fettle/tools/ok.ts', 'instructions AGENTS.md'],
      problems: [
        '.mcp.json: is not a regular file',
        '.fettle/tools/folder: a link to a folder is not followed',
        '.fettle/tools/dangling.ts: cannot be read (ENOENT)',
        '.fettle/tools/out.ts: leads out of the project',
        '.agents/skills: a link to a folder is not followed',
        'big/AGENTS.md: is larger than 4 MiB',
      ],
    });
  });

  it('too many files are one problem, and no item', async () => {
    const root = await scratch({'AGENTS.md': 'x', '.fettle/tools/a.ts': ''});
    await Promise.all(Array.from({length: 1001}, (_, index) => writeFile(join(root, `.fettle/tools/p${index}.md`), '')));
    expect(await collect(root)).toEqual({items: [], problems: ['more than 1000 files or 16 MiB would have to be trusted']});
  });

  it('a FETTLE_HOME that lies in the project belongs to the person', async () => {
    const root = await scratch({'.fettle/config.toml': '', '.fettle/tools/mine.ts': '', 'AGENTS.md': ''});
    expect(await collect(root, {own: [join(root, '.fettle')]})).toEqual({items: ['instructions AGENTS.md'], problems: []});
  });
});

describe('projectRoot: the folder to which trust belongs', () => {
  it('is the nearest folder with an entry `.git`; nested repositories, work trees and submodules are projects of their own', async () => {
    const base = await scratch({
      'home/repo/.git/HEAD': '',
      'home/repo/sub/x': '',
      'home/repo/nested/.git/HEAD': '',
      'home/repo/module/.git': 'gitdir: ../.git/modules/module\n',
      'home/plain/sub/x': '',
      'home/.git/HEAD': '',
    });
    const home = join(base, 'home');
    const rootOf = async (path: string) => {
      const {root, canBeTrusted} = await projectRoot(join(base, path), home);
      return [root.slice(base.length), canBeTrusted];
    };
    expect([
      await rootOf('home/repo/sub'),
      await rootOf('home/repo/nested'),
      await rootOf('home/repo/module'),
      await rootOf('home/plain/sub'),
      await rootOf('home'),
      await rootOf('.'),
      [(await projectRoot('/', home)).canBeTrusted],
    ]).toEqual([
      ['/home/repo', true],
      ['/home/repo/nested', true],
      ['/home/repo/module', true],
      ['/home/plain/sub', true],
      ['/home', false],
      ['', false],
      [false],
    ]);
  });

  it('a forged `commondir` inherits nothing: the key is the folder itself (CVE-2026-40068)', async () => {
    const base = await scratch({
      'trusted/.git/HEAD': 'ref: refs/heads/main\n',
      'forged/.git': 'gitdir: ./evil\n',
      'forged/evil/HEAD': 'ref: refs/heads/main\n',
      'forged/evil/commondir': '../../trusted/.git\n',
      'forged/evil/gitdir': '../.git\n',
    });
    expect(await projectRoot(join(base, 'forged'), '/nobody')).toEqual({root: join(base, 'forged'), canBeTrusted: true});
  });
});
