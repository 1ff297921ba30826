import type {Line} from '../../../../src/hosts/tui/cells/line.ts';

/** Rows as text: a look stands in front of its text, `{bold:text}`. */
export function notation(lines: readonly Line[]): string {
  return lines
    .map((line) => line.map(({text, style}) => (style === undefined ? text : `{${style.join('+')}:${text}}`)).join(''))
    .join('\n');
}
