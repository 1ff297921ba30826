import {describe, expect, it} from 'vitest';
import {exportHtml} from '../../../src/sessions/export/html.ts';
import {exportMarkdown} from '../../../src/sessions/export/markdown.ts';
import {createResponsesEmitter} from '../../../src/sessions/export/responses/emitter.ts';
import type {ThreadEvent} from '../../../src/protocol/events.ts';
import {answered, broke, callCompleted, logged, output, started, text, turnFailed, turnStarted, user} from '../events.ts';

const begun = [started(), turnStarted(), user('Go.')];
const call = {id: 'c1'};

describe('a reply that broke off (issue 14 › replies)', () => {
  it('Markdown shows what arrived in front of the reply that took its place, in a fence', () => {
    const markdown = exportMarkdown(logged([...begun, broke('r1', '# Ha'), text('r1', 'Half.'), answered('r1')]));
    expect(markdown.slice(markdown.indexOf('## Assistant'))).toBe(`## Assistant

*Interrupted reply: The stream broke.*

\`\`\`text
# Ha
\`\`\`

Half.
`);
  });

  it('and where nothing took its place; the results of calls behind it are not lost', () => {
    const events = [...begun, broke('r1', '[call of read]\n{'), callCompleted('r1', call), output('r1', call, 'hello'), answered('r1')];
    const markdown = exportMarkdown(logged([...events, broke('r2', 'And'), turnFailed('provider_error')]));
    const shown = ['[call of read]\n{', 'hello', 'And', '*This reply was cut off.*', '**The turn failed'];
    expect(shown.map((part) => markdown.includes(part))).toEqual(shown.map(() => true));
  });

  it('HTML shows it, harmless', () => {
    const html = exportHtml(logged([...begun, broke('r1', '<script>'), text('r1', 'Half.'), answered('r1')]));
    expect(html).toContain('<p class="note">Interrupted reply: The stream broke.</p><pre>&#60;script&#62;</pre><p>Half.</p>');
  });

  it.each<[string, readonly ThreadEvent[], readonly unknown[]]>([
    [
      'of a log: an item of our own',
      [broke('r1', 'Ha'), text('r1', 'Half.')],
      [
        ['fettle:interrupted_reply', 'Ha'],
        ['message', undefined],
      ],
    ],
    [
      'as it comes: text that was told stands there already',
      [
        {type: 'item.started', turn_id: 'trn_1', item: {id: 'm', request_id: 'r1', type: 'agent_message', text: ''}},
        {type: 'item.updated', turn_id: 'trn_1', item_id: 'm', item_type: 'agent_message', delta: 'Ha'},
        broke('r1', 'Ha'),
      ],
      [['message', undefined]],
    ],
    ['nothing arrived', [broke('r1')], []],
  ])('Open Responses, %s', (_name, events, expected) => {
    const sent: {type?: unknown; item?: {type?: unknown; received?: unknown}}[] = [];
    const emitter = createResponsesEmitter((event) => void sent.push(event));
    for (const event of [started(), turnStarted(), ...events]) emitter.take(event, 0);
    emitter.end();
    const added = sent.filter(({type}) => type === 'response.output_item.added').map(({item}) => [item?.type, item?.received]);
    expect(added).toEqual(expected);
  });
});
