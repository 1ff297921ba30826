import {chmod, mkdir, readFile, stat, symlink, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {applyEnvelope} from '../../../../src/tools/operations/edit/apply-envelope.ts';
import {readFile as readOperation} from '../../../../src/tools/operations/fs/read-file.ts';
import {treeOf} from '../../../workspace/tree.ts';
import {realWorkspace, type RealWorkspace} from '../../support/real-context.ts';

const envelope = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
const apply = (work: RealWorkspace, patch: string) => work.outcome(applyEnvelope, {patch});

type Files = Readonly<Record<string, string>>;
interface Scenario {
  readonly name: string;
  readonly files?: Files;
  readonly patch: string;
  /** All files afterwards; undefined: as before. */
  readonly after?: Files;
  readonly code?: string;
}

const SCENARIOS: readonly Scenario[] = [
  {name: '001 add a file', patch: envelope('*** Add File: bar.md', '+This is a new file'), after: {'bar.md': 'This is a new file\n'}},
  {
    name: '002 several operations',
    files: {'modify.txt': 'line1\nline2\n', 'delete.txt': 'obsolete\n'},
    patch: envelope(
      '*** Add File: nested/new.txt',
      '+created',
      '*** Delete File: delete.txt',
      '*** Update File: modify.txt',
      '@@',
      '-line2',
      '+changed',
    ),
    after: {'modify.txt': 'line1\nchanged\n', 'nested/new.txt': 'created\n'},
  },
  {
    name: '003 several hunks',
    files: {'multi.txt': 'line1\nline2\nline3\nline4\n'},
    patch: envelope('*** Update File: multi.txt', '@@', '-line2', '+changed2', '@@', '-line4', '+changed4'),
    after: {'multi.txt': 'line1\nchanged2\nline3\nchanged4\n'},
  },
  {
    name: '004 move to a new folder',
    files: {'old/name.txt': 'old content\n', 'old/other.txt': 'unrelated\n'},
    patch: envelope('*** Update File: old/name.txt', '*** Move to: renamed/dir/name.txt', '@@', '-old content', '+new content'),
    after: {'old/other.txt': 'unrelated\n', 'renamed/dir/name.txt': 'new content\n'},
  },
  {name: '005 an empty patch', files: {'foo.txt': 'stable\n'}, patch: envelope(), code: 'BAD_ARGS'},
  {
    name: '006 context that is not there',
    files: {'modify.txt': 'line1\nline2\n'},
    patch: envelope('*** Update File: modify.txt', '@@', '-missing', '+changed'),
    code: 'NOT_FOUND',
  },
  {
    name: '007 delete what is not there',
    files: {'foo.txt': 'stable\n'},
    patch: envelope('*** Delete File: missing.txt'),
    code: 'NOT_FOUND',
  },
  {name: '008 an update without hunks', files: {'foo.txt': 'stable\n'}, patch: envelope('*** Update File: foo.txt'), code: 'BAD_ARGS'},
  {
    name: '009 update what is not there',
    files: {'foo.txt': 'stable\n'},
    patch: envelope('*** Update File: missing.txt', '@@', '-old', '+new'),
    code: 'NOT_FOUND',
  },
  {
    name: '010 move over a file that is there',
    files: {'old/name.txt': 'from\n', 'old/other.txt': 'unrelated\n', 'renamed/dir/name.txt': 'existing\n'},
    patch: envelope('*** Update File: old/name.txt', '*** Move to: renamed/dir/name.txt', '@@', '-from', '+new'),
    after: {'old/other.txt': 'unrelated\n', 'renamed/dir/name.txt': 'new\n'},
  },
  {
    name: '011 add over a file that is there',
    files: {'duplicate.txt': 'old content\n'},
    patch: envelope('*** Add File: duplicate.txt', '+new content'),
    after: {'duplicate.txt': 'new content\n'},
  },
  {name: '012 delete a folder', files: {'dir/foo.txt': 'stable\n'}, patch: envelope('*** Delete File: dir'), code: 'NOT_A_FILE'},
  {name: '013 an unknown header', files: {'foo.txt': 'stable\n'}, patch: envelope('*** Frobnicate File: foo'), code: 'BAD_ARGS'},
  {
    name: '014 a replaced last line gets a line break',
    files: {'no_newline.txt': 'no newline at end'},
    patch: envelope('*** Update File: no_newline.txt', '@@', '-no newline at end', '+first line', '+second line'),
    after: {'no_newline.txt': 'first line\nsecond line\n'},
  },
  {
    // The format's first program leaves created.txt behind; here nothing is written before all is checked.
    name: '015 a failure after a part that would succeed leaves nothing behind',
    files: {'kept.txt': 'kept\n'},
    patch: envelope('*** Add File: created.txt', '+hello', '*** Update File: missing.txt', '@@', '-old', '+new'),
    code: 'NOT_FOUND',
  },
  {
    name: '016 only additions',
    files: {'input.txt': 'line1\nline2\n'},
    patch: envelope('*** Update File: input.txt', '@@', '+added line 1', '+added line 2'),
    after: {'input.txt': 'line1\nline2\nadded line 1\nadded line 2\n'},
  },
  {
    name: '017 blanks around a file header',
    files: {'foo.txt': 'old\n'},
    patch: envelope('  *** Update File: foo.txt  ', '@@', '-old', '+new'),
    after: {'foo.txt': 'new\n'},
  },
  {
    name: '018 blanks around the patch markers',
    files: {'file.txt': 'one\n'},
    patch: '  *** Begin Patch\n*** Update File: file.txt\n@@\n-one\n+two\n*** End Patch  ',
    after: {'file.txt': 'two\n'},
  },
  {
    name: '019 Unicode',
    files: {'foo.txt': 'line1\nnaïve café\nline3\n'},
    patch: envelope('*** Update File: foo.txt', '@@', ' line1', '-naïve café', '+naïve café ✅', ' line3'),
    after: {'foo.txt': 'line1\nnaïve café ✅\nline3\n'},
  },
  {
    name: '020 delete a file',
    files: {'keep.txt': 'keep\n', 'obsolete.txt': 'x\n'},
    patch: envelope('*** Delete File: obsolete.txt'),
    after: {'keep.txt': 'keep\n'},
  },
  {
    name: '020 blanks around the lines of the patch markers',
    files: {'file.txt': 'one\n'},
    patch: '*** Begin Patch \n*** Update File: file.txt\n@@\n-one\n+two\n *** End Patch',
    after: {'file.txt': 'two\n'},
  },
  {
    name: '021 only deletions',
    files: {'lines.txt': 'line1\nline2\nline3\n'},
    patch: envelope('*** Update File: lines.txt', '@@', ' line1', '-line2', ' line3'),
    after: {'lines.txt': 'line1\nline3\n'},
  },
  {
    name: '022 the end of the file',
    files: {'tail.txt': 'first\nsecond\nfirst\nsecond\n'},
    patch: envelope('*** Update File: tail.txt', '@@', ' first', '-second', '+second updated', '*** End of File'),
    after: {'tail.txt': 'first\nsecond\nfirst\nsecond updated\n'},
  },
  {
    name: '023 CRLF',
    files: {'crlf.txt': 'one\r\ntwo\r\nthree\r\n'},
    patch: envelope('*** Update File: crlf.txt', '@@', ' one', '-two', '+2', '+2b', ' three'),
    after: {'crlf.txt': 'one\r\n2\r\n2b\r\nthree\r\n'},
  },
  {
    name: '024 mixed endings',
    files: {'mixed.txt': 'one\r\ntwo\nthree\r\nfour\n'},
    patch: envelope('*** Update File: mixed.txt', '@@', ' one', '-two', '+2', ' three', ' four'),
    after: {'mixed.txt': 'one\r\n2\nthree\r\nfour\n'},
  },
];

describe('Begin/End Patch format: the 25 scenarios', () => {
  it.each(SCENARIOS)('$name', async ({files = {}, patch, after, code}) => {
    const work = await realWorkspace(files);
    const outcome = await apply(work, patch);
    expect(outcome).toMatchObject(code === undefined ? {files: expect.anything()} : {code});
    const tree = Object.entries(await treeOf(work.root)).filter(([, content]) => content !== 'folder');
    const latin1 = ([path, text]: [string, string]) => [path, Buffer.from(text).toString('latin1')];
    expect(Object.fromEntries(tree)).toEqual(Object.fromEntries(Object.entries(after ?? files).map(latin1)));
  });
});

describe('Begin/End Patch format: results, bytes, and what others did', () => {
  it('says what was done to each file, and the changes in all', async () => {
    const work = await realWorkspace({'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n'});
    const at = (path: string) => join(work.root, path);
    const patch = envelope(
      '*** Add File: n.txt',
      '+n',
      '*** Update File: n.txt',
      '-n',
      '+m',
      '*** Delete File: a.txt',
      '*** Update File: b.txt',
      '*** Move to: d/b.txt',
      '-b',
      '+B',
      '*** Update File: c.txt',
      '*** Move to: e.txt',
    );
    expect(await apply(work, patch)).toEqual({
      files: [
        {kind: 'add', path: 'n.txt', before: '', after: 'n\n'},
        {kind: 'update', path: 'n.txt', before: 'n\n', after: 'm\n'},
        {kind: 'delete', path: 'a.txt'},
        {kind: 'move', path: 'b.txt', movedTo: 'd/b.txt', before: 'b\n', after: 'B\n'},
        {kind: 'move', path: 'c.txt', movedTo: 'e.txt', before: 'c\n', after: 'c\n'},
      ],
      changes: [
        {path: at('n.txt'), kind: 'add'},
        {path: at('a.txt'), kind: 'delete'},
        {path: at('b.txt'), kind: 'delete'},
        {path: at('d/b.txt'), kind: 'add'},
        {path: at('c.txt'), kind: 'delete'},
        {path: at('e.txt'), kind: 'add'},
      ],
    });
    expect(await treeOf(work.root)).toEqual({d: 'folder', 'd/b.txt': 'B\n', 'e.txt': 'c\n', 'n.txt': 'm\n'});
  });

  it('keeps encoding, byte order mark, mode, and links that lead to the file', async () => {
    const latin = Buffer.from('Größe\r\nalt\r\n', 'latin1');
    const work = await realWorkspace({'latin.txt': latin, 'bom.sh': '\uFEFFold\n', 'real.txt': 'old\n'});
    await chmod(join(work.root, 'bom.sh'), 0o755);
    await symlink('real.txt', join(work.root, 'link.txt'));
    const update = (path: string, from: string, to: string) => [`*** Update File: ${path}`, `-${from}`, `+${to}`];
    const moved = ['*** Update File: bom.sh', '*** Move to: moved.sh', '-old', '+new'];
    expect(await apply(work, envelope(...update('latin.txt', 'alt', 'müde'), ...moved, ...update('link.txt', 'old', 'new')))).toMatchObject(
      {
        files: [{kind: 'update'}, {kind: 'move'}, {kind: 'update', path: 'real.txt'}],
      },
    );
    expect(await readFile(join(work.root, 'latin.txt'))).toEqual(Buffer.from('Größe\r\nmüde\r\n', 'latin1'));
    expect(await readFile(join(work.root, 'moved.sh'), 'utf8')).toBe('\uFEFFnew\n');
    expect((await stat(join(work.root, 'moved.sh'))).mode & 0o777).toBe(0o755);
    expect(await treeOf(work.root)).toMatchObject({'link.txt': '-> real.txt', 'real.txt': 'new\n'});
    expect(await apply(work, envelope('*** Add File: x', '+x', ...update('latin.txt', 'müde', '日本')))).toMatchObject({
      code: 'BAD_ARGS',
    });
    expect(Object.keys(await treeOf(work.root))).not.toContain('x');
  });

  it('a file that changed since this thread read it: STALE, and nothing is written; times of other files stay', async () => {
    const work = await realWorkspace({'a.txt': 'a\n', 'b.txt': 'b\n'});
    await work.outcome(readOperation, {path: 'b.txt', maxBytes: 100});
    await writeFile(join(work.root, 'b.txt'), 'by another\n');
    const before = await stat(join(work.root, 'a.txt'));
    for (const second of [['*** Delete File: b.txt'], ['*** Add File: b.txt', '+x'], ['*** Update File: b.txt', '-by another', '+x']]) {
      expect(await apply(work, envelope('*** Update File: a.txt', '-a', '+A', ...second))).toMatchObject({code: 'STALE'});
    }
    expect(await stat(join(work.root, 'a.txt'))).toMatchObject({mtimeMs: before.mtimeMs, ino: before.ino});
    expect(await treeOf(work.root)).toEqual({'a.txt': 'a\n', 'b.txt': 'by another\n'});
  });

  it('own changes are known: apply, and apply again', async () => {
    const work = await realWorkspace({'a.txt': 'a\n'});
    await work.outcome(readOperation, {path: 'a.txt', maxBytes: 100});
    await apply(work, envelope('*** Update File: a.txt', '-a', '+b'));
    expect(await apply(work, envelope('*** Update File: a.txt', '-b', '+c'))).toMatchObject({files: [{kind: 'update'}]});
    await apply(work, envelope('*** Delete File: a.txt'));
    expect(await apply(work, envelope('*** Add File: a.txt', '+d'))).toMatchObject({files: [{kind: 'add'}]});
  });

  it('a failure while writing takes back what was written', async () => {
    const work = await realWorkspace({'a.txt': 'a\n', 'dir/x.txt': 'x\n'});
    const before = await treeOf(work.root);
    // A folder where a file must come shows only when it is written: its parent is a file by then.
    const patch = envelope('*** Update File: a.txt', '-a', '+A', '*** Add File: new', '+n', '*** Add File: new/below.txt', '+b');
    expect(await apply(work, patch)).toMatchObject({code: expect.stringMatching(/^NOT_(FOUND|A_FILE)$|^IO$/)});
    expect(await treeOf(work.root)).toEqual(before);
  });

  it('the policy sees every path, also where a file moves to', async () => {
    const work = await realWorkspace({'a.txt': 'a\n', 'b.txt': 'b\n'});
    await mkdir(join(work.root, 'd'));
    const patch = envelope('*** Update File: a.txt', '*** Move to: d/a.txt', '-a', '+A', '*** Delete File: b.txt', '*** Add File: c.txt');
    const {subjects} = await applyEnvelope.resolve({patch}, work.ctx);
    expect(subjects.map((subject) => subject.kind === 'path' && subject.write && subject.relative)).toEqual([
      'a.txt',
      'd/a.txt',
      'b.txt',
      'c.txt',
    ]);
  });
});
