import {mkdir, symlink} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {makeItem} from '../../../src/config/trust/read-item.ts';
import type {TrustKind} from '../../../src/config/trust/trust-item.ts';
import {loadInstructions, type LoadedInstructions} from '../../../src/context/instructions/load-instructions.ts';
import {projectTexts} from '../../../src/context/instructions/project-texts.ts';
import {scratch} from '../../support/scratch.ts';

async function loaded(
  files: Readonly<Record<string, string>>,
  kinds: Readonly<Record<string, TrustKind>> = {},
  folder = '',
): Promise<LoadedInstructions> {
  const home = await scratch();
  const items = Object.entries(files).map(([path, text]) => makeItem(path, kinds[path] ?? 'instructions', Buffer.from(text)));
  const texts = projectTexts(items, folder, async (path) => files[path]);
  return await loadInstructions({configDir: join(home, 'config'), home}, texts);
}

const always = ({always: texts}: LoadedInstructions): string[][] => texts.map(({path, text}) => [path, text]);

describe('loadInstructions', () => {
  it('leaves out empty files and a byte order mark; the nearest folder comes last; other folders are not there yet', async () => {
    const files = {
      'a/b/AGENTS.md': ' \n<!-- only this -->',
      'a/AGENTS.md': 'of a',
      'AGENTS.md': '\uFEFFof the root',
      'c/AGENTS.md': 'of c',
    };
    expect(always(await loaded(files, {}, 'a/b'))).toEqual([
      ['AGENTS.md', 'of the root'],
      ['a/AGENTS.md', 'of a'],
    ]);
  });

  it('imports go five deep, each file once, never in a circle (VT Code › instruction_import_max_depth 5, cycle guard, once-only guard)', async () => {
    const files = Object.fromEntries(Array.from({length: 8}, (_, at) => [`${at}.md`, `${at}\n@${at + 1}.md @0.md @AGENTS.md`]));
    const {always: texts, notices} = await loaded(
      {'AGENTS.md': '@0.md\n@0.md', ...files},
      Object.fromEntries(Object.keys(files).map((path) => [path, 'import'])),
    );
    expect(texts.map(({text}) => text.match(/^\d|^\[(?:from|end)[^\]]*/gm))).toEqual([
      [
        '[from 0.md',
        '0',
        '[from 1.md',
        '1',
        '[from 2.md',
        '2',
        '[from 3.md',
        '3',
        '[from 4.md',
        '4',
        '[end of 4.md',
        '[end of 3.md',
        '[end of 2.md',
        '[end of 1.md',
        '[end of 0.md',
      ],
    ]);
    expect(notices).toEqual(['4.md: @5.md is not imported: more than 5 deep']);
  });

  it('rules: with `paths` they wait for such files; a broken one is named and not used; README.md is for people', async () => {
    const files = {
      '.fettle/rules/a.md': '---\npaths: [src/**/*.{ts,tsx}, "*.sql"]\n---\nrule a',
      '.fettle/rules/b.md': '---\ntitle: x\n---\nrule b',
      '.fettle/rules/c.md': '---\npaths: 7\n---\nrule c',
      '.fettle/rules/d.md': '---\n{\n---\nrule d',
      '.fettle/rules/sub/README.md': 'read me',
    };
    const result = await loaded(files, Object.fromEntries(Object.keys(files).map((path) => [path, 'rule'])));
    expect(always(result)).toEqual([['.fettle/rules/b.md', 'rule b']]);
    const [rule] = result.byPath;
    const paths = ['src/a.ts', 'src/x/y.tsx', 'a.ts', 'db/x.sql', 'src/a.js'];
    expect([rule?.text, rule?.globs, paths.filter((path) => rule?.matches(path))]).toEqual([
      'rule a',
      ['src/**/*.{ts,tsx}', '*.sql'],
      ['src/a.ts', 'src/x/y.tsx', 'db/x.sql'],
    ]);
    expect(result.notices).toEqual([
      '.fettle/rules/c.md: not used: `paths` must be a list of globs',
      '.fettle/rules/d.md: not used: its front matter is not a YAML table',
    ]);
  });

  it.each(['paths: *.ts', 'paths:\n  - **/*.ts\n  - "b"', 'paths: [*.ts, b]', 'paths: {x,y}/*.ts', "paths: '*.ts'", 'paths: "*.ts" # all'])(
    'globs as authors write them: %j',
    async (yaml) => {
      const {byPath, notices} = await loaded({'.fettle/rules/a.md': `---\n${yaml}\n---\nx`}, {'.fettle/rules/a.md': 'rule'});
      expect([byPath.map(({matches}) => [matches('x/a.ts'), matches('a.md')]), notices]).toEqual([[[true, false]], []]);
    },
  );

  it('of the user: imports only from their own folders, where links were followed; no secrets', async () => {
    const root = await scratch({
      'config/AGENTS.md': '@more.md @../outside.md @key.pem @linked.md @~/.agents/x.md @handle.name',
      'config/more.md': 'more',
      'config/key.pem': 'geheim',
      '.agents/x.md': 'x',
      'outside.md': 'outside',
    });
    await mkdir(join(root, 'config/rules'));
    await symlink(join(root, 'outside.md'), join(root, 'config/linked.md'));
    const {always: texts, notices} = await loadInstructions({configDir: join(root, 'config'), home: root}, undefined);
    expect(texts.map(({scope, text}) => [scope, text.replaceAll(root, '<root>')])).toEqual([
      [
        'user',
        `@more.md @../outside.md @key.pem @linked.md @~/.agents/x.md @handle.name
[from <root>/config/more.md]
more
[end of <root>/config/more.md]
[from <root>/.agents/x.md]
x
[end of <root>/.agents/x.md]`,
      ],
    ]);
    expect(notices.map((notice) => notice.replaceAll(root, '<root>'))).toEqual([
      '<root>/config/AGENTS.md: @../outside.md is not imported: it is outside your folders',
      '<root>/config/AGENTS.md: @key.pem is not imported: key.pem holds secrets',
      '<root>/config/AGENTS.md: @linked.md is not imported: it is outside your folders',
    ]);
  });
});
