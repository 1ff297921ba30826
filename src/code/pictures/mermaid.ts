import type {EdgePicture, PictureNode} from './edge-picture.ts';

/** A flowchart that Markdown viewers draw. */
export function mermaid({centre, incoming, outgoing}: EdgePicture): string {
  const lines = [
    'flowchart LR',
    `  s${box(centre)}`,
    ...incoming.map(({node, label}, place) => `  i${place}${box(node)} -->|${quoted(label)}| s`),
    ...outgoing.map(({node, label}, place) => `  s -->|${quoted(label)}| o${place}${box(node)}`),
    '  style s stroke-width:3px',
  ];
  return `${lines.join('\n')}\n`;
}

function box({name, place}: PictureNode): string {
  return `[${quoted(place === '' ? name : `${name}<br/>${place}`, true)}]`;
}

/** Mermaid knows no escapes but its own entities: `#quot;` (its documentation, "Entity codes to escape characters"). */
function quoted(text: string, hasBreak = false): string {
  const escaped = text
    .split(hasBreak ? '<br/>' : '\0')
    .map((part) => part.replace(/["#<>&;`\\\n\r]/g, (sign) => `#${sign.charCodeAt(0)};`));
  return `"${escaped.join('<br/>')}"`;
}
