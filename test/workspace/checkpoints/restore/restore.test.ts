import {execFileSync} from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
  existsSync,
} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {scratch} from '../../../support/scratch.ts';
import {casesOf} from '../../../support/thorough.ts';
import {kept, keptIn, treeOf} from '../support.ts';

describe('undo of what a command did (design 1.2: everything can be undone, also what a shell command changed)', () => {
  it('contents, modes, links, empty folders, new and deleted files; and the undo is undone', async () => {
    const at = await kept({'a.txt': 'one\r\n', 'sub/b.bin': new Uint8Array([0, 255, 128]), 'run.sh': '#!/bin/sh\n'});
    mkdirSync(join(at.root, 'empty/inner'), {recursive: true});
    symlinkSync('a.txt', join(at.root, 'link'));
    chmodSync(join(at.root, 'run.sh'), 0o750);
    const before = treeOf(at.root);
    const done = await at.turn('tree', () => {
      execFileSync(
        'sh',
        ['-c', 'rm -r sub empty link; echo two > a.txt; mkdir -p new/deep; echo x > new/deep/f; chmod 600 run.sh; ln -s / new/out'],
        {cwd: at.root},
      );
    });
    const after = treeOf(at.root);
    const undo = await at.restore(done?.id);
    expect([treeOf(at.root), undo.refused]).toEqual([before, []]);
    const redo = await at.restore(undo.id);
    expect([treeOf(at.root), redo.refused]).toEqual([after, []]);
    await at.restore(redo.id);
    expect(treeOf(at.root)).toEqual(before);
  });

  it.each([
    ['with its content', 'echo two > tool; chmod 755 tool'],
    ['by itself', 'chmod 755 tool'],
    ['after the file was deleted', 'rm tool'],
  ])('setuid and setgid, %s', async (_, command) => {
    const at = await kept({tool: 'one'});
    chmodSync(join(at.root, 'tool'), 0o6751);
    const done = await at.turn('tree', () => void execFileSync('sh', ['-c', command], {cwd: at.root}));
    const changed = statSync(join(at.root, 'tool'), {throwIfNoEntry: false})?.mode;
    const undo = await at.restore(done?.id);
    expect([(statSync(join(at.root, 'tool')).mode & 0o7777).toString(8), undo.refused]).toEqual(['6751', []]);
    await at.restore(undo.id);
    expect(statSync(join(at.root, 'tool'), {throwIfNoEntry: false})?.mode).toBe(changed);
  });

  it.runIf(process.getuid?.() === 0)('setuid comes back for the owner it was for, and for no other', async () => {
    const at = await kept({tool: 'one', other: 'one'});
    for (const name of ['tool', 'other']) {
      chownSync(join(at.root, name), 1234, 1234);
      chmodSync(join(at.root, name), 0o4755);
    }
    const done = await at.turn('tree', () => {
      execFileSync('sh', ['-c', 'echo two > tool; chmod 755 tool; chown 0 other; chmod 755 other'], {cwd: at.root});
    });
    await at.restore(done?.id);
    const {uid, mode} = statSync(join(at.root, 'tool'));
    expect([uid, (mode & 0o7777).toString(8)]).toEqual([1234, '4755']);
    expect(statSync(join(at.root, 'other'))).toMatchObject({uid: 0, mode: 0o100755});
  });

  it('a file that became a folder, and a folder that became a file or a link', async () => {
    const at = await kept({one: 'file', 'two/a/b': 'deep', 'three/c': 'x'});
    const before = treeOf(at.root);
    const done = await at.turn('tree', () => {
      execFileSync('sh', ['-c', 'rm one; mkdir -p one/x; echo y > one/x/y; rm -r two; echo two > two; rm -r three; ln -s /etc three'], {
        cwd: at.root,
      });
    });
    expect((await at.restore(done?.id)).refused).toEqual([]);
    expect(treeOf(at.root)).toEqual(before);
  });

  it('names that are not UTF-8, and names with line breaks and quotes', async () => {
    const at = await kept();
    const odd = Buffer.concat([Buffer.from(`${at.root}/`), Buffer.from([0xff, 0xe9, 0x0a, 0x22])]);
    writeFileSync(odd, 'kept');
    mkdirSync(join(at.root, 'é'));
    writeFileSync(Buffer.concat([Buffer.from(`${at.root}/é/`), Buffer.from([0xfe])]), 'in é');
    const before = treeOf(at.root);
    const done = await at.turn('tree', () => {
      unlinkSync(odd);
      rmSync(join(at.root, 'é'), {recursive: true});
    });
    expect((await at.restore(done?.id)).refused).toEqual([]);
    expect(treeOf(at.root)).toEqual(before);
  });

  it('a change that keeps size and mtime is seen (racy-git.txt)', async () => {
    const at = await kept({'a.txt': 'one'});
    const first = await at.turn('tree', () =>
      execFileSync('sh', ['-c', 'touch -r a.txt ref; printf two > a.txt; touch -r ref a.txt; rm ref'], {cwd: at.root}),
    );
    await at.turn('tree', () => writeFileSync(join(at.root, 'a.txt'), 'six'));
    expect(first?.changed).toEqual(['a.txt']);
    await at.restore(first?.id);
    expect(treeOf(at.root)).toEqual({'a.txt': '644 one'});
  });

  it('a folder that may not be written any more', async () => {
    const at = await kept({'d/f': '1'});
    const before = treeOf(at.root);
    const done = await at.turn('tree', () => execFileSync('sh', ['-c', 'rm d/f; chmod 555 d'], {cwd: at.root}));
    await at.restore(done?.id);
    expect(treeOf(at.root)).toEqual(before);
  });

  it('.gitignore decides what is covered; an ignored file that becomes visible is never deleted by undo', async () => {
    const at = await kept({'.gitignore': 'node_modules\n', 'node_modules/x.js': 'mine', 'a.txt': '1'});
    const done = await at.turn('tree', () =>
      execFileSync('sh', ['-c', 'rm .gitignore; echo more >> node_modules/x.js; echo 2 > a.txt; echo n > new.txt'], {cwd: at.root}),
    );
    expect(done?.changed).toEqual(['.gitignore', 'a.txt', 'new.txt']);
    await at.restore(done?.id);
    expect(treeOf(at.root)).toEqual({
      '.gitignore': '644 node_modules\n',
      node_modules: 'folder 755',
      'node_modules/x.js': '644 minemore\n',
      'a.txt': '644 1',
    });
  });

  it('what a new .gitignore hides stays covered', async () => {
    const at = await kept({'src/a.txt': '1'});
    const first = await at.turn('tree', () => writeFileSync(join(at.root, '.gitignore'), 'src\n'));
    const second = await at.turn('tree', () => rmSync(join(at.root, 'src'), {recursive: true}));
    expect([first?.changed, second?.changed]).toEqual([['.gitignore'], ['src', 'src/a.txt']]);
    await at.restore(first?.id);
    expect(treeOf(at.root)).toEqual({src: 'folder 755', 'src/a.txt': '644 1'});
  });

  it('with `ignored` ignored files are covered too', async () => {
    const at = await kept({'.gitignore': '*.log\n', 'x.log': 'mine'}, {ignored: true});
    const done = await at.turn('tree', () => unlinkSync(join(at.root, 'x.log')));
    await at.restore(done?.id);
    expect(readFileSync(join(at.root, 'x.log'), 'utf8')).toBe('mine');
  });

  it('works in a repository, and touches neither index, HEAD nor stash; a commit is not undone', async () => {
    const at = await kept({'a.txt': '1', 'b.txt': 'untracked later'});
    const git = (...args: string[]): string =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {cwd: at.root, encoding: 'utf8'});
    git('init', '-q');
    git('add', 'a.txt');
    git('commit', '-qm', 'first');
    const done = await at.turn('tree', () => {
      writeFileSync(join(at.root, 'a.txt'), '2');
      unlinkSync(join(at.root, 'b.txt'));
      git('commit', '-qam', 'second');
    });
    const inside = treeOf(join(at.root, '.git'));
    await at.restore(done?.id);
    expect(treeOf(join(at.root, '.git'))).toEqual(inside);
    expect([readFileSync(join(at.root, 'a.txt'), 'utf8'), readFileSync(join(at.root, 'b.txt'), 'utf8')]).toEqual(['1', 'untracked later']);
  });
});

describe('undo of what file tools wrote', () => {
  it('a pre-image of each path, of all in a folder, and the folders that were made', async () => {
    const at = await kept({'a.txt': '1', 'dir/x': 'x', 'dir/y/z': 'z'});
    const before = treeOf(at.root);
    const done = await at.turn(['a.txt', 'dir', 'moved/here', 'new/deep/file'], () => {
      writeFileSync(join(at.root, 'a.txt'), '2');
      mkdirSync(join(at.root, 'moved'));
      renameSync(join(at.root, 'dir'), join(at.root, 'moved/here'));
      mkdirSync(join(at.root, 'new/deep'), {recursive: true});
      writeFileSync(join(at.root, 'new/deep/file'), 'n');
    });
    expect(done?.changed.length).toBe(13);
    expect((await at.restore(done?.id)).refused).toEqual([]);
    expect(treeOf(at.root)).toEqual(before);
  });

  it('a turn that changes nothing leaves nothing', async () => {
    const at = await kept({'a.txt': '1'});
    expect(await at.turn(['a.txt'], () => undefined)).toBeUndefined();
    expect(await at.turn('tree', () => undefined)).toBeUndefined();
    expect(at.list()).toEqual([]);
  });

  it('.git and the state of Fettle are never kept, and that is said', async () => {
    const root = await scratch({'.git/config': 'x', 'state/s': 'y', 'a.txt': '1'});
    const at = keptIn({root, state: join(root, 'state')});
    const done = await at.turn(['.git/config', 'sub/.GIT/hooks/x', 'state/s'], () => writeFileSync(join(root, 'state/s'), 'z'));
    expect(done).toEqual({
      id: '',
      changed: [],
      notes: [
        '.git/config belongs to git: a change of it is not undone.',
        'sub/.GIT/hooks/x belongs to git: a change of it is not undone.',
        'state/s belongs to Fettle: a change of it is not undone.',
      ],
    });
    const command = await at.turn('tree', () => writeFileSync(join(root, 'a.txt'), '2'));
    expect(command?.changed).toEqual(['a.txt']);
  });
});

describe('going back several turns', () => {
  it('to before any turn, past an undo and a redo', async () => {
    const at = await kept({f: '0'});
    const states = [treeOf(at.root)];
    const ids: (string | undefined)[] = [];
    for (const n of [1, 2, 3]) {
      const done = await at.turn(n === 2 ? 'tree' : ['f', `g${n}`], () => {
        writeFileSync(join(at.root, 'f'), String(n));
        writeFileSync(join(at.root, `g${n}`), 'x');
      });
      ids.push(done?.id);
      states.push(treeOf(at.root));
    }
    const undo = await at.restore(ids[1]);
    expect(treeOf(at.root)).toEqual(states[1]);
    await at.restore(undo.id);
    expect(treeOf(at.root)).toEqual(states[3]);
    await at.restore(ids[2]);
    expect(treeOf(at.root)).toEqual(states[2]);
    await at.restore(ids[0]);
    expect(treeOf(at.root)).toEqual(states[0]);
  });

  it('any tree and any changes come back byte for byte, also in several turns (property)', async () => {
    // What is done through a link happens there: never a folder of the system.
    const elsewhere = await scratch({'own.txt': 'of somebody else'});
    const name = fc.constantFrom('a', 'b', 'c', 'a/a', 'a/b', 'b/a', 'b/b/c', 'c/d');
    const action = fc.oneof(
      fc.record({do: fc.constant('write' as const), name, text: fc.string({maxLength: 5})}),
      fc.record({do: fc.constant('folder' as const), name}),
      fc.record({do: fc.constant('link' as const), name, text: fc.constantFrom('a', elsewhere, 'nowhere')}),
      fc.record({do: fc.constant('remove' as const), name}),
      fc.record({do: fc.constant('mode' as const), name, mode: fc.constantFrom(0o600, 0o755, 0o700)}),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(action, {maxLength: 8}),
        fc.array(fc.array(action, {maxLength: 6}), {minLength: 1, maxLength: 3}),
        async (start, turns) => {
          const at = await kept();
          const act = (one: (typeof start)[number]): void => {
            const path = join(at.root, one.name);
            const parent = join(path, '..');
            try {
              if (one.do === 'remove') rmSync(path, {recursive: true, force: true});
              else if (one.do === 'mode') chmodSync(path, one.mode);
              else {
                rmSync(path, {recursive: true, force: true});
                mkdirSync(parent, {recursive: true});
                if (one.do === 'folder') mkdirSync(path);
                else if (one.do === 'link' && parent === at.root) symlinkSync(one.text, path);
                else if (one.do === 'write') writeFileSync(path, one.text, {flag: 'wx'});
              }
            } catch {
              // An impossible change is none.
            }
          };
          for (const one of start) if (one.do !== 'link') act(one);
          const states = [treeOf(at.root)];
          const ids: (string | undefined)[] = [];
          for (const [n, actions] of turns.entries()) {
            const done = await at.turn(n % 2 === 0 ? 'tree' : ['a', 'b', 'c'], () => {
              for (const one of actions) if (n % 2 === 0 || one.do !== 'link') act(one);
            });
            ids.push(done?.id);
            states.push(treeOf(at.root));
          }
          const outside = treeOf(elsewhere);
          for (const n of ids.keys()) {
            if (ids[n] === undefined) continue;
            const undone = await at.restore(ids[n]);
            expect([undone.refused, treeOf(at.root)]).toEqual([[], states[n]]);
            if (undone.id === undefined) continue;
            await at.restore(undone.id);
            expect(treeOf(at.root)).toEqual(states.at(-1));
          }
          expect(treeOf(elsewhere)).toEqual(outside);
        },
      ),
      {numRuns: casesOf(60)},
    );
  });
});

describe('what is not overwritten', () => {
  it('what somebody changed since is named and stays; --force replaces it, and even that can be undone', async () => {
    const at = await kept({'a.txt': '1', 'b.txt': '1'});
    const done = await at.turn(['a.txt', 'b.txt', 'c.txt'], () => {
      for (const name of ['a.txt', 'b.txt', 'c.txt']) writeFileSync(join(at.root, name), '2');
    });
    appendFileSync(join(at.root, 'a.txt'), ' mine');
    appendFileSync(join(at.root, 'c.txt'), ' mine');
    const some = await at.restore(done?.id);
    expect([some.restored, some.refused]).toEqual([
      ['b.txt'],
      ['a.txt: changed since by somebody else', 'c.txt: changed since by somebody else'],
    ]);
    const forced = await at.restore(done?.id, {force: true});
    expect(treeOf(at.root)).toEqual({'a.txt': '644 1', 'b.txt': '644 1'});
    await at.restore(forced.id);
    expect(readFileSync(join(at.root, 'c.txt'), 'utf8')).toBe('2 mine');
  });

  it('single files and folders', async () => {
    const at = await kept({'a.txt': '1', 'd/b': '1', 'd/c': '1'});
    const done = await at.turn('tree', () => {
      writeFileSync(join(at.root, 'a.txt'), '2');
      rmSync(join(at.root, 'd'), {recursive: true});
    });
    expect((await at.restore(done?.id, {files: ['d/b']})).restored).toEqual(['d', 'd/b']);
    expect(treeOf(at.root)).toEqual({'a.txt': '644 2', d: 'folder 755', 'd/b': '644 1'});
    expect((await at.restore(done?.id, {files: ['d']})).restored).toEqual(['d/c']);
    expect((await at.restore(done?.id, {files: ['a.txt']})).restored).toEqual(['a.txt']);
  });

  it('a dry run changes nothing and keeps nothing', async () => {
    const at = await kept({'a.txt': '1'});
    const done = await at.turn(['a.txt'], () => writeFileSync(join(at.root, 'a.txt'), '2'));
    expect(await at.restore(done?.id, {dryRun: true})).toEqual({id: undefined, restored: ['a.txt'], refused: [], notes: [], seen: []});
    expect([readFileSync(join(at.root, 'a.txt'), 'utf8'), at.list().length]).toEqual(['2', 1]);
  });

  it('a folder of new files stays where it holds files that are not covered', async () => {
    const at = await kept({'.gitignore': 'node_modules\n'});
    const done = await at.turn('tree', () =>
      execFileSync('sh', ['-c', 'mkdir -p out/node_modules; echo a > out/a.c; echo b > out/node_modules/b'], {cwd: at.root}),
    );
    expect((await at.restore(done?.id)).refused).toEqual(['out: holds files that are not covered']);
    expect(treeOf(at.root)).toMatchObject({out: 'folder 755', 'out/node_modules/b': '644 b\n'});
  });

  it('a large file is named when it is changed, and left alone', async () => {
    const at = await kept(
      {'big.bin': new Uint8Array(2000)},
      {limits: {maxBytes: 1e6, maxFileBytes: 1000, maxEntries: 100, maxReadMs: 1000}},
    );
    const done = await at.turn('tree', () => appendFileSync(join(at.root, 'big.bin'), 'x'));
    expect(done?.notes).toEqual(['big.bin cannot be brought back: too large, unreadable, or no room.']);
    const undo = await at.restore(done?.id);
    expect(undo.refused).toEqual(['big.bin: its content was not saved: too large, unreadable, or no space left']);
  });

  it('a FIFO is named and not touched; of a hard link one name is restored, and that is said', async () => {
    const at = await kept({'a.txt': '1', keep: 'k'});
    linkSync(join(at.root, 'a.txt'), join(at.root, 'other'));
    const done = await at.turn(['a.txt', 'keep'], () => {
      writeFileSync(join(at.root, 'a.txt'), '2');
      unlinkSync(join(at.root, 'keep'));
      execFileSync('mkfifo', [join(at.root, 'keep')]);
    });
    const undo = await at.restore(done?.id);
    expect([undo.refused, undo.notes]).toEqual([
      ['keep: a pipe, socket or device'],
      ['a.txt had further names (hard links): only this one was restored.'],
    ]);
    expect([readFileSync(join(at.root, 'a.txt'), 'utf8'), readFileSync(join(at.root, 'other'), 'utf8')]).toEqual(['1', '2']);
  });
});

describe('a hostile tree', () => {
  it('a folder that became a link to outside: nothing is written there (CVE-2026-39861)', async () => {
    const outside = await scratch({victim: 'precious'});
    const at = await kept({'d/victim': '1', 'd/gone': '1'});
    const done = await at.turn(['d/victim', 'd/gone'], () => {
      writeFileSync(join(at.root, 'd/victim'), '2');
      unlinkSync(join(at.root, 'd/gone'));
    });
    rmSync(join(at.root, 'd'), {recursive: true});
    symlinkSync(outside, join(at.root, 'd'));
    const undo = await at.restore(done?.id, {force: true});
    expect(undo.restored).toEqual([]);
    expect(undo.refused.length).toBe(2);
    expect([treeOf(outside), existsSync(join(outside, 'gone'))]).toEqual([{victim: '644 precious'}, false]);
  });

  it('a link in place of a file is replaced, never followed', async () => {
    const outside = await scratch({victim: 'precious'});
    const at = await kept({f: '1'});
    const done = await at.turn(['f'], () => {
      unlinkSync(join(at.root, 'f'));
      symlinkSync(join(outside, 'victim'), join(at.root, 'f'));
    });
    await at.restore(done?.id);
    expect([treeOf(at.root), treeOf(outside)]).toEqual([{f: '644 1'}, {victim: '644 precious'}]);
  });
});
