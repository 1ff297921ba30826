import {chmod} from 'node:fs/promises';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {listSources} from '../../../src/code/index/list-sources.ts';
import {languageOfText} from '../../../src/code/languages/script-language.ts';
import {scratch} from '../../support/scratch.ts';

it.each([
  ['bin/run', '#!/bin/sh\n', 'bash'],
  ['run', '#! /usr/bin/env bash\r\n', 'bash'],
  ['run', '#!/usr/bin/env -S node --no-warnings\n', 'javascript'],
  ['run', '#!/usr/bin/env LANG=C python3.11 -u\n', 'python'],
  ['run', '#!/usr/local/bin/ruby', 'ruby'],
  ['run', '#!/usr/bin/perl\n', undefined],
  ['run', '#!/usr/bin/constructor\n', undefined],
  ['run', '# !/bin/sh\n', undefined],
  ['LICENSE', 'Copyright\n', undefined],
  ['run.txt', '#!/bin/sh\n', undefined],
  ['run.py', '#!/bin/sh\n', 'python'],
  ['.hidden', '#!/bin/sh\n', undefined],
])('%s that begins with %j (issue 6: the index knows scripts that have no extension)', (path, text, language) => {
  expect(languageOfText(path, text)).toBe(language);
});

it('lists scripts without an extension by their first line; not what is large, secret, or none (issue 6)', async () => {
  const root = await scratch({
    'bin/run': '#!/usr/bin/env python3\nprint(1)\n',
    'bin/tool.sh': 'echo\n',
    'bin/data': 'no script\n',
    'bin/empty': '',
    'bin/large': `#!/bin/sh\n${'#'.repeat(500_000)}\n`,
    '.ssh/id_rsa': '#!/bin/sh\n',
  });
  await chmod(join(root, 'bin/run'), 0o644);
  const {sources} = await listSources(root);
  expect(sources.map(({path, language}) => `${path} ${language}`).sort()).toEqual(['bin/run python', 'bin/tool.sh bash']);
});
