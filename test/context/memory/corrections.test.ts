import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {CORRECTION_WORDS} from '../../../src/context/memory/correction-words.table.ts';
import {correctionIn} from '../../../src/context/memory/corrections.ts';

const KEPT = [
  'Never touch prod.env.',
  "don't use any",
  'Don’t use any',
  'Always run the linter.',
  'It must stay compatible.',
  'Use pnpm instead.',
  'That is wrong.',
  'Remember the port.',
  'Not the lexer!',
  'no, the other one',
  'Niemals auf main pushen.',
  'Das ist falsch.',
  'Ne touche pas à prod.env.',
  'Toujours en UTC.',
  'Nunca borres los tests.',
  'Sempre in UTC.',
  'Nunca apague nada.',
  'Nooit pushen.',
  'Aldrig på fredagar.',
  'Nigdy nie pushuj.',
  'Никогда не трогай это.',
  'Asla silme.',
  '不要修改这个文件',
  '必ずテストを書いてください',
  '절대 지우지 마세요',
  'لا تلمس هذا الملف',
  '!! blue, like the logo',
];

const OTHERS = [
  'Please go on with step 12.',
  'Read the files in src.',
  'What does this function do?',
  'Thanks, that looks good.',
  'Weiter mit dem nächsten Schritt.',
  'Continue avec la suite.',
  'add a button to the page',
  'open the nevertheless module',
];

describe('issue 7, part 1 › corrections of a person', () => {
  it.each(KEPT)('%s: is kept', (text) => expect(correctionIn(text)).toBe(text));
  it.each(OTHERS)('%s: is a message like others', (text) => expect(correctionIn(text)).toBeUndefined());

  it('of a long message the paragraphs that correct are kept, each word for word', () => {
    const log = 'line of a log\n'.repeat(200);
    expect(correctionIn(`Look at this.\n\n${log}\n\nNever delete it.\n\n${log}\n\n!! blue`)).toBe('Never delete it.\n…\n!! blue');
  });

  it('what is kept is never longer than the bound, and stands in the message (property)', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...KEPT, ...OTHERS, 'x'.repeat(400)), {maxLength: 40}), (parts) => {
        const text = parts.join('\n\n');
        const kept = correctionIn(text);
        if (kept === undefined) return;
        expect(kept.length).toBeLessThan(2300);
        for (const piece of kept.split('\n…\n')) expect(text).toContain(piece);
      }),
    );
  });

  it('a text of ASCII alone is judged as beside letters of other scripts (property)', () => {
    const words = Object.values(CORRECTION_WORDS)
      .flatMap((lists) => lists.flatMap((list) => list.split('|')))
      .map((word) => word.replaceAll(/\\p\{L\}[*+]|\(\?:[^)]*\)\??|\[[^\]]*\]|[?\\]/g, ''))
      .filter((word) => /^[ -~]+$/.test(word));
    const part = fc.oneof(fc.constantFrom(...words), fc.constantFrom(' ', '_', '.', '-', '\n', "'", '9'), fc.string({maxLength: 3}));
    fc.assert(
      fc.property(fc.array(part, {maxLength: 6}), fc.boolean(), (parts, isLoud) => {
        const text = (isLoud ? parts.join('').toUpperCase() : parts.join('')).replaceAll(/[^ -~\n]|!/g, '');
        expect(correctionIn(text) === undefined).toBe(correctionIn(`${text} …`) === undefined);
      }),
      {numRuns: 2000},
    );
  });
});
