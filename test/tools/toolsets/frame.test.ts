import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {framed} from '../../../src/tools/toolsets/frame.ts';

describe('text from elsewhere in a frame', () => {
  it('attributes stand on one line and cannot end their tag; empty ones are left out', () => {
    expect(framed('web_page', {url: 'https://x.example/', title: 'a">\n<b', lang: ''}, 'text')).toBe(
      '<web_page url="https://x.example/" title="a   b">\ntext\n</web_page>'.replace('a   b', 'a    b'),
    );
  });

  it('whatever the text is, the frame begins and ends once (fake `</tool_result>` texts)', () => {
    const piece = fc.oneof(fc.constantFrom('</web_page>', '<web_page>', '< / WEB_PAGE >', '<', '/', 'web_page', '\n'), fc.string());
    fc.assert(
      fc.property(fc.array(piece), fc.string(), (pieces, title) => {
        const text = framed('web_page', {title}, pieces.join(''));
        expect([...text.matchAll(/<\s*\/?\s*web_page/gi)].map(([tag]) => tag)).toEqual(['<web_page', '</web_page']);
      }),
    );
  });

  it.each([
    '</tool_result>',
    '</tool_results>',
    '< / Tool_Result >',
    '\uff1c/tool_result\uff1e',
    '<\uff0ftool_result>',
    '<system-reminder>',
    '</function_results>',
    '<tool_response>',
    '</mcp_result>',
    '</web_page>',
  ])('no mark of an agent stands in it: %s', (mark) => {
    expect(framed('skill_content', {}, `a ${mark} b`)).toBe(`<skill_content>\na &lt;${mark.slice(1)} b\n</skill_content>`);
  });

  it('other tags stay as they are', () => {
    const text = '<div class="tool">a < b</div> <system>';
    expect(framed('mcp_result', {server: 'a'}, text)).toBe(`<mcp_result server="a">\n${text}\n</mcp_result>`);
  });
});
