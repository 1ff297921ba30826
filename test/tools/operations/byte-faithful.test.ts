import {readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {applyEnvelope} from '../../../src/tools/operations/edit/apply-envelope.ts';
import {editText} from '../../../src/tools/operations/edit/edit-text.ts';
import {realWorkspace, type RealWorkspace} from '../support/real-context.ts';
import {casesOf} from '../../support/thorough.ts';

const PATH = 'file.txt';

/** Each replaces one text by another in a line of its own. */
const ENGINES: Record<string, (work: RealWorkspace, from: string, to: string) => Promise<unknown>> = {
  exact: (work, oldText, newText) => work.outcome(editText, {path: PATH, edit: {form: 'exact', oldText, newText, replaceAll: false}}),
  patches: (work, oldText, newText) => work.outcome(editText, {path: PATH, edit: {form: 'patches', patches: [{oldText, newText}]}}),
  blocks: (work, from, to) => {
    const content = `<<<<<<< SEARCH\n${from}\n=======\n${to}\n>>>>>>> REPLACE\n`;
    return work.outcome(editText, {path: PATH, edit: {form: 'blocks', content, fuzzy: false, onMultiple: 'refuse'}});
  },
  envelope: (work, from, to) => {
    const rows = (op: string, text: string) => text.split('\n').map((line) => `${op}${line}\n`);
    const patch = ['*** Begin Patch\n', `*** Update File: ${PATH}\n@@\n`, ...rows('-', from), ...rows('+', to), '*** End Patch'].join('');
    return work.outcome(applyEnvelope, {patch});
  },
};

describe.each(Object.entries(ENGINES))('an edit and its inverse leave every byte of the file as it was: %s', (_, edit) => {
  it('whatever the bytes, encodings, marks and line endings around are', async () => {
    const work = await realWorkspace();
    const path = join(work.root, PATH);
    const noNul = fc.uint8Array({maxLength: 300, min: 1}).map((bytes) => Buffer.from(bytes));
    const text = fc.string({unit: 'grapheme', maxLength: 100}).map((text) => text.replaceAll('\0', ''));
    const stored = fc.constantFrom<BufferEncoding>('utf8', 'latin1', 'utf16le');
    const encoded = fc.tuple(text, stored).map(([text, encoding]) => ({text, encoding, mark: true}));
    const raw = noNul.map((bytes) => ({text: bytes.toString('latin1'), encoding: 'latin1' as const, mark: false}));
    const ending = fc.constantFrom('\n', '\r\n', '\r');
    await fc.assert(
      fc.asyncProperty(fc.oneof(encoded, raw), fc.oneof(encoded, raw), ending, async (before, after, end) => {
        const {encoding, mark} = before;
        const marked = mark && encoding !== 'latin1' ? '\uFEFF' : '-';
        // A line of the file that is like the one to edit would be another place for it.
        const around = (text: string) => text.replaceAll('<', ' ');
        const bytes = Buffer.from(`${marked}${around(before.text)}${end}<old one>${end}<old two>${end}-${around(after.text)}`, encoding);
        fc.pre(encoding === 'utf16le' || !bytes.includes(0));
        await writeFile(path, bytes);
        work.ctx.files.forget(path);
        expect(await edit(work, '<old one>\n<old two>', '<new>')).not.toHaveProperty('code');
        expect(await readFile(path)).not.toEqual(bytes);
        expect(await edit(work, '<new>', '<old one>\n<old two>')).not.toHaveProperty('code');
        expect(await readFile(path)).toEqual(bytes);
      }),
      {numRuns: casesOf(60)},
    );
  });
});
