import type {EdgePicture, PictureNode} from './edge-picture.ts';

/** A graph in the language of Graphviz. */
export function dot({centre, incoming, outgoing}: EdgePicture): string {
  const lines = [
    'digraph symbol {',
    '  rankdir=LR;',
    '  node [shape=box, style=rounded, fontname="sans-serif", fontsize=11];',
    '  edge [fontname="sans-serif", fontsize=9, color="#888888"];',
    `  s [label=${label(centre)}, penwidth=2];`,
    ...incoming.flatMap(({node, label: kinds}, place) => [
      `  i${place} [label=${label(node)}];`,
      `  i${place} -> s [label=${quoted(kinds)}];`,
    ]),
    ...outgoing.flatMap(({node, label: kinds}, place) => [
      `  o${place} [label=${label(node)}];`,
      `  s -> o${place} [label=${quoted(kinds)}];`,
    ]),
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

function label({name, place}: PictureNode): string {
  return place === '' ? quoted(name) : `${quoted(name).slice(0, -1)}\\n${quoted(place).slice(1)}`;
}

function quoted(text: string): string {
  return `"${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll(/[\r\n]+/g, ' ')}"`;
}
