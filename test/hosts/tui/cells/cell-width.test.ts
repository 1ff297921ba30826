import {describe, expect, it} from 'vitest';
import {cellWidth, graphemes, graphemeWidth, isSimple} from '../../../../src/hosts/tui/cells/cell-width.ts';
import {harmlessText} from '../../../../src/hosts/tui/terminal/harmless-text.ts';
import {visibleText} from '../../../../src/base/visible-text.ts';

const SIMPLE = Array.from({length: 0x10000}, (_, code) => String.fromCharCode(code)).filter((char) => isSimple(char));

describe('simple text, which is measured without segments', () => {
  it('each unit is a character of its own, beside any other', () => {
    const segmenter = new Intl.Segmenter(undefined, {granularity: 'grapheme'});
    const text = SIMPLE.join('') + SIMPLE.toReversed().join('');
    expect(graphemes(text)).toEqual(Array.from(segmenter.segment(text), ({segment}) => segment));
  });

  it('it is seen, takes a column or two, and steers nothing', () => {
    const hidden = /[\p{Cc}\p{Cf}\p{Mark}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Surrogate}\p{Cn}]/u;
    const guarded = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]|\p{Surrogate}/u;
    expect(SIMPLE.filter((char) => hidden.test(char) && !/\p{Cn}/u.test(char))).toEqual([]);
    expect(SIMPLE.filter((char) => guarded.test(char) || harmlessText(char) !== char)).toEqual([]);
    expect(SIMPLE.filter((char) => visibleText(char) !== char)).toEqual([]);
    expect(new Set(SIMPLE.map((char) => graphemeWidth(char)))).toEqual(new Set([1, 2]));
  });

  it('a text is as wide as its characters', () => {
    const texts = ['plain', '─── › …', '解析器 reads', 'ǆ ж λ', 'é́ 👩‍💻 🇩🇪', '\u3099か', 'ㅎㅏㄴ', '한글'];
    expect(texts.map((text) => cellWidth(text))).toEqual(
      texts.map((text) => graphemes(text).reduce((sum, one) => sum + graphemeWidth(one), 0)),
    );
  });
});
