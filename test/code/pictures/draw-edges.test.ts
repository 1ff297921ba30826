import {describe, expect, it} from 'vitest';
import {drawEdges} from '../../../src/code/pictures/draw-edges.ts';
import {PICTURE_FORMATS} from '../../../src/code/pictures/edge-picture.ts';
import type {SymbolEdges} from '../../../src/code/code-graph.ts';
import type {CodeSymbol} from '../../../src/code/symbol.ts';

const HOSTILE = '"]]></svg><script>x()</script>"]\nclick s "javascript:x()"';

describe('drawEdges', () => {
  it('mermaid: each neighbour once, with the kinds of its edges', () => {
    expect(drawEdges(edges(), 'mermaid')).toMatchInlineSnapshot(`
      "flowchart LR
        s["run<br/>src/run.ts:3"]
        i0["main<br/>src/main.ts:1"] -->|"call, reference"| s
        i1["src/top.ts"] -->|"call"| s
        s -->|"call"| o0["print"]
        style s stroke-width:3px
      "
    `);
  });

  it('dot: in the language of Graphviz', () => {
    expect(drawEdges(edges(), 'dot')).toMatchInlineSnapshot(`
      "digraph symbol {
        rankdir=LR;
        node [shape=box, style=rounded, fontname="sans-serif", fontsize=11];
        edge [fontname="sans-serif", fontsize=9, color="#888888"];
        s [label="run\\nsrc/run.ts:3", penwidth=2];
        i0 [label="main\\nsrc/main.ts:1"];
        i0 -> s [label="call, reference"];
        i1 [label="src/top.ts"];
        i1 -> s [label="call"];
        o0 [label="print"];
        s -> o0 [label="call"];
      }
      "
    `);
  });

  it('svg: three columns, as large as what is in them', () => {
    const drawn = drawEdges(edges(), 'svg');
    expect(drawn.match(/<(?:rect|path class)/g)?.length).toBe(7);
    expect(drawn.match(/>([^<>]+)<\/text>/g)).toEqual([
      '>call, reference</text>',
      '>call</text>',
      '>call</text>',
      '>main</text>',
      '>src/main.ts:1</text>',
      '>src/top.ts</text>',
      '>run</text>',
      '>src/run.ts:3</text>',
      '>print</text>',
    ]);
  });

  it.each(PICTURE_FORMATS)('%s: names of a hostile repository stay names', (format) => {
    const drawn = drawEdges({...edges(), outgoing: [{...call(HOSTILE), targetName: HOSTILE}]}, format);
    const ordinary = drawEdges(edges(), format);
    // Not one line more than an ordinary name makes, and not one sign that has a meaning there.
    expect(drawn.split('\n').length).toBe(ordinary.split('\n').length);
    expect(signs(drawn, format)).toEqual(signs(ordinary, format));
  });
});

/** How often each sign stands there that could end a name: in Graphviz an escaped quote is none. */
function signs(drawn: string, format: (typeof PICTURE_FORMATS)[number]): readonly number[] {
  const text = drawn.replaceAll('\\"', '').replaceAll('<br/>', '');
  const ends = format === 'svg' ? ['<', '>', '"'] : ['"'];
  return ends.map((sign) => text.split(sign).length);
}

function edges(): SymbolEdges {
  const main = symbol('main', 'src/main.ts', 0);
  const run = symbol('run', 'src/run.ts', 2);
  const place = {path: 'src/main.ts', range: main.range};
  return {
    symbol: run,
    incoming: [
      {kind: 'call', source: main, targetName: 'run', target: run, ...place},
      {kind: 'reference', source: main, targetName: 'run', target: run, ...place},
      {kind: 'call', targetName: 'run', target: run, path: 'src/top.ts', range: main.range},
    ],
    outgoing: [call('print')],
    truncated: false,
  };
}

function call(targetName: string): SymbolEdges['outgoing'][number] {
  const run = symbol('run', 'src/run.ts', 2);
  return {kind: 'call', source: run, targetName, path: run.path, range: run.range};
}

function symbol(name: string, path: string, line: number): CodeSymbol {
  const range = {start: {line, character: 0}, end: {line: line + 1, character: 0}};
  return {
    id: `${path}::${name}#function`,
    name,
    qualifiedName: name,
    kind: 'function',
    path,
    range,
    nameRange: range,
    signature: name,
    exported: true,
  };
}
