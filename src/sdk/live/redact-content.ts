import type {Redactor} from '../../base/redact.ts';
import type {CellRun, LiveContent} from '../../protocol/live-command.ts';

/** Returns the content without secrets. A row that contained one loses its colours; secrets that continue in the next row are found, too. */
export function redactContent(content: LiveContent, {text: redacted}: Pick<Redactor, 'text'>): LiveContent {
  if (content.type === 'output') return {...content, text: redacted(content.text)};
  const {screen} = content;
  const groups = joinedRows(screen.lines, screen.columns);
  const all = groups.map(textOf).join('\n');
  const title = redacted(screen.title);
  if (redacted(all) === all && title === screen.title) return content;
  return {type: 'screen', screen: {...screen, title, lines: groups.flatMap((rows) => withoutSecrets(rows, screen.columns, redacted))}};
}

type Rows = readonly (readonly CellRun[])[];

/** A row that is filled to the last column may continue in the next one. */
function joinedRows(lines: Rows, columns: number): readonly Rows[] {
  const groups: (readonly CellRun[])[][] = [];
  let goesOn = false;
  for (const line of lines) {
    if (goesOn) groups.at(-1)?.push(line);
    else groups.push([line]);
    goesOn = line.reduce((sum, run) => sum + run.columns, 0) >= columns;
  }
  return groups;
}

function textOf(rows: Rows): string {
  return rows
    .flat()
    .map(({text}) => text)
    .join('');
}

function withoutSecrets(rows: Rows, columns: number, redacted: (text: string) => string): Rows {
  const text = textOf(rows);
  const clean = redacted(text);
  if (clean === text) return rows;
  return rows.map((_, row) => {
    const part = clean.slice(row * columns, (row + 1) * columns);
    return part === '' ? [] : [{text: part, columns: part.length}];
  });
}
