import {byteText} from '../../workspace/ignore/byte-text.ts';
import {type IgnorePattern, parseIgnoreLine} from '../../workspace/ignore/ignore-pattern.ts';
import {expandBracesIn} from './brace-expansion.ts';
import {type EntryChoice, EVERYTHING, type FolderChoice, SELECT_NOTHING, type Selector} from '../selector.ts';

/**
 * Compiles patterns as ripgrep does for `-g`: inverted gitignore lines with braces. The last that matches decides; a file that one of them
 * names is taken even when it is ignored or hidden; with a positive one among them, files that none names are left out.
 */
export function compileOverrides(globs: readonly string[]): Selector {
  const patterns = globs.flatMap(expandGlob).reverse();
  return patterns.length === 0
    ? EVERYTHING
    : selectorIn(
        patterns,
        patterns.some(({negated}) => !negated),
        '',
      );
}

function expandGlob(glob: string): IgnorePattern[] {
  return (expandBracesIn(glob) ?? [glob]).flatMap((word) => parseIgnoreLine(byteText(word), false) ?? []);
}

function selectorIn(patterns: readonly IgnorePattern[], hasPositive: boolean, folder: string): Selector {
  const judge = (name: string, isFolder: boolean): EntryChoice | undefined => {
    const bytes = byteText(name);
    const fits = ({name: own, path, directoryOnly}: IgnorePattern): boolean =>
      (isFolder || !directoryOnly) && (own?.matches(bytes) === true || path?.matches(folder + bytes) === true);
    const found = patterns.find(fits);
    return found === undefined ? undefined : found.negated ? 'no' : 'forced';
  };
  return {
    judgesDots: false,
    file: (name) => judge(name, false) ?? (hasPositive ? 'no' : 'yes'),
    folder(name): FolderChoice {
      const choice = judge(name, true) ?? 'yes';
      return choice === 'no' ? SELECT_NOTHING : {choice, below: selectorIn(patterns, hasPositive, `${folder}${byteText(name)}/`)};
    },
  };
}
