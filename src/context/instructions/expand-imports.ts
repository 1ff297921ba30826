import {DEEPEST_IMPORT, instructionLines} from '../../config/trust/instruction-text.ts';
import {oneLine} from './instruction.ts';

/** A text and its name; imports are resolved relative to it. */
export interface NamedText {
  readonly path: string;
  readonly text: string;
}

/**
 * Resolves `@path` in the text `from`. undefined: no file can be meant, the word is only text. A problem: a file
 * is meant, but cannot be read.
 */
export type ReadImport = (path: string, from: string) => Promise<NamedText | {readonly problem: string} | undefined>;

export interface ExpandedText {
  readonly text: string;
  readonly problems: readonly string[];
}

/**
 * A text with its imports after the lines that name them, each with its origin (VT Code › instruction memory: imports). Five deep at most, and
 * each file once.
 * @param seen Paths that were used already; those that are used now are added.
 */
export async function expandImports(source: NamedText, read: ReadImport, seen: Set<string>): Promise<ExpandedText> {
  const problems: string[] = [];
  const expand = async ({path, text}: NamedText, depth: number): Promise<string[]> => {
    const out: string[] = [];
    for (const line of instructionLines(text)) {
      out.push(line.text);
      for (const name of line.imports) {
        const found = await read(name, path);
        if (found === undefined) continue;
        if ('problem' in found) problems.push(`${path}: @${name} is not imported: ${found.problem}`);
        else if (seen.has(found.path)) continue;
        else if (depth === DEEPEST_IMPORT) problems.push(`${path}: @${name} is not imported: more than ${DEEPEST_IMPORT} deep`);
        else {
          seen.add(found.path);
          out.push(`[from ${oneLine(found.path)}]`, ...(await expand(found, depth + 1)), `[end of ${oneLine(found.path)}]`);
        }
      }
    }
    return out;
  };
  seen.add(source.path);
  return {text: (await expand(source, 0)).join('\n'), problems};
}

/** Returns true if a word after `@` can only mean a file, so that a missing one deserves a notice. */
export function meansFile(path: string): boolean {
  return /^(?:\.{1,2}\/|~\/|\/)|\.(?:md|mdx|txt)$/i.test(path);
}
