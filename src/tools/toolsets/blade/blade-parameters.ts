import * as z from 'zod/mini';
import type {Tool} from '../../toolset.ts';
import * as alias from '../../compat/parameter-aliases.ts';

/** A text parameter with its description for the model. */
export const described = (text: string) => z.string().check(z.describe(text));

/** An optional whole number from `minimum` on. "Integers above a cap are lowered to the cap silently": no maximum is checked. */
export const wholeNumber = (text: string, minimum = 1) => z.optional(z.int().check(z.minimum(minimum), z.describe(text)));

/** Returns the value of a {@link wholeNumber} with its default and cap applied. */
export function capped(value: number | undefined, limits: {readonly default: number; readonly max: number}): number {
  return Math.min(value ?? limits.default, limits.max);
}

/** "Accepted aliases for `path`: file_path, filepath, filename", TargetFile, target_file (zblade tool calls › File Tools). */
export const FILE_PARAMETER = alias.aliasesOf({path: alias.FILE});
/** "Accepted aliases for `path`: dir, directory". */
export const FOLDER_PARAMETER = alias.aliasesOf({path: alias.FOLDER});

/** "Alias of": the same tool under a second name, which is not worth its tokens in a schema ("Some compatibility aliases are executor-only"). */
export function alsoNamed(name: string, tool: Tool): Tool {
  return {...tool, name, description: `Alias of ${tool.name}.`, audience: 'nobody'};
}
