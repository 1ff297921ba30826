import {readdirSync, readFileSync, statSync, symlinkSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {draftFile, keepDraft, takeDraft} from '../../../../src/hosts/tui/editor/draft-file.ts';
import {scratch} from '../../../support/scratch.ts';

const placed = async (): Promise<string> => draftFile(join(await scratch(), 'state'), '/work/a');

describe('a draft', () => {
  it('is given back once, whatever is in it, and is for the owner alone', async () => {
    const file = await placed();
    keepDraft(file, 'first');
    keepDraft(file, 'two\n资料 😀');
    expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect([takeDraft(file), takeDraft(file), readdirSync(dirname(file))]).toEqual(['two\n资料 😀', undefined, []]);
  });

  it.each([
    ['nothing', ''],
    ['blanks', '  \n'],
    ['a private text', ' secret plan'],
    ['a very long text', 'x'.repeat(64 * 1024 + 1)],
  ])('%s is not kept', async (_, text) => {
    const file = await placed();
    keepDraft(file, text);
    expect(takeDraft(file)).toBe(undefined);
  });

  it('holds no secret', async () => {
    const file = await placed();
    keepDraft(file, `use ghp_${'a1B2'.repeat(9)} for it`);
    expect(readFileSync(file, 'utf8')).toBe('use [redacted GitHub token] for it');
  });

  it('is of one folder', () => {
    const files = ['/work/a', '/work/a/', '/work/b'].map((folder) => draftFile('/state', folder));
    expect(new Set(files).size).toBe(3);
  });

  it('a link is not followed, and what cannot be written or read ends nothing', async () => {
    const root = await scratch({'other.txt': 'of somebody', drafts: 'a file'});
    symlinkSync(join(root, 'other.txt'), join(root, 'link'));
    keepDraft(draftFile(root, '/work/a'), 'text');
    expect([takeDraft(join(root, 'link')), takeDraft(draftFile(root, '/work/a')), takeDraft(root)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(readFileSync(join(root, 'other.txt'), 'utf8')).toBe('of somebody');
  });
});
