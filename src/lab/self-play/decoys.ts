import {isWhollyDeleted, patchSections} from './patch-sections.ts';

/** Text that is appended to a file as a comment of its language: what the file does stays the same. */
export interface Decoy {
  /** Relative to the tree. */
  readonly path: string;
  readonly text: string;
}

/**
 * Makes comments of the lines that a patch adds, or of those that it removes, for the files that it changes. A test that reads the text of sources
 * takes a comment for the change: it passes on the starting tree with the added lines as comments, or fails on the patched one with the removed lines.
 * Only for languages that are run: of other files the text is what they do.
 */
export function decoysOf(patch: string, side: 'added' | 'removed'): readonly Decoy[] {
  return patchSections(patch).flatMap((section) => {
    const [path] = section.paths;
    const comment = path === undefined ? undefined : commentOf(path);
    if (path === undefined || comment === undefined || (side === 'removed' && isWhollyDeleted(section.text))) return [];
    const lines = hunkLines(section.text, side === 'added' ? '+' : '-');
    return [{path, text: `\n${comment(lines.join('\n'))}\n`}];
  });
}

function hunkLines(section: string, mark: string): readonly string[] {
  const [, ...hunks] = section.split(/(?<![^\n])@@ [^\n]*/);
  return hunks.flatMap((hunk) => hunk.split('\n').flatMap((line) => (line.startsWith(mark) ? [line.slice(1)] : [])));
}

type Comment = (text: string) => string;

const block: Comment = (text) => `/*\n${text.replaceAll('*/', '* /').replaceAll('/*', '/ *')}\n*/`;

const COMMENTS: readonly (readonly [RegExp, Comment])[] = [
  [/\.(?:[cm]?[jt]sx?|c|h|cc|cpp|cxx|hpp|java|go|rs|kt|swift|scala|cs)$/, block],
  [/\.py$/, (text) => `r'''\n${text.replaceAll("'''", "''")}\n'''`],
  // No command, not even an empty one: the status of the last one is that of the script.
  [/\.(?:ba)?sh$/, (text) => text.replaceAll(/^/gm, '# ')],
  [/\.rb$/, (text) => `=begin\n${text}\n=end`],
];

function commentOf(path: string): Comment | undefined {
  return COMMENTS.find(([pattern]) => pattern.test(path))?.[1];
}
