import {visibleText} from '../../../base/visible-text.ts';
import {span, type Line} from '../cells/line.ts';
import {wrapLine} from '../cells/wrap-line.ts';
import type {BannerEntry} from '../model/entry.ts';
import {modeStyle, sandboxText} from './session-labels.ts';

/** The first rows of a conversation: the program, its settings, and how to find out more. */
export function bannerLines({appName, folder, info}: BannerEntry, width: number): readonly Line[] {
  const place = info.branch === undefined ? folder : `${folder} (${info.branch})`;
  const parts = [info.model, place, info.mode, sandboxText(info)].map((text) => oneRow(text ?? ''));
  const about = parts
    .filter((text) => text !== '')
    .flatMap((text, index): Line => {
      const part = text === info.mode ? span(text, modeStyle(text)) : span(text);
      return index === 0 ? [part] : [span(' · ', 'dim'), part];
    });
  const head = [span(oneRow(appName), 'heading')];
  return [head, about, [span(HINT, 'dim')]].flatMap((line) => wrapLine(line, width));
}

const HINT = '? keys and commands · @ files · ! shell · Shift-Tab mode';

function oneRow(text: string): string {
  return visibleText(text).replaceAll(/\s+/g, ' ').trim();
}
