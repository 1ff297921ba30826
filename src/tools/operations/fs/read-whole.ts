import * as z from 'zod/mini';
import {displayText} from '../../../text/encoding.ts';
import {splitLines} from '../../../text/line-endings.ts';
import {readTextFile} from '../../../workspace/read-file.ts';
import type {Operation} from '../../operation.ts';
import {existingPath} from './existing-path.ts';
import {readSubjects, shownPath} from './path-subjects.ts';

const args = z.object({
  path: z.string(),
  /** A larger file is refused: TOO_LARGE. */
  maxBytes: z.number(),
});

const result = z.object({
  path: z.string(),
  /** Absolute. */
  file: z.string(),
  /** All of it, with the line endings of the file. */
  content: z.string(),
  totalLines: z.number(),
  /** Bytes on disk. */
  bytes: z.number(),
});

export type ReadWholeArgs = z.infer<typeof args>;
export type ReadWholeResult = z.infer<typeof result>;

/** The whole text of a file ("zblade tool calls › read_file"), and remembers the state in which the thread has seen it. */
export const readWhole: Operation<ReadWholeArgs, ReadWholeResult> = {
  id: 'fs.readWhole',
  permission: 'read',
  args,
  result,
  sideEffect: 'read',
  subjects: ({path}, ctx) => readSubjects(path, ctx),
  async run({path, maxBytes}, ctx) {
    const resolved = await existingPath(path, ctx, 'read');
    const {text, state, bytes} = await readTextFile(resolved.path, {maxBytes}, ctx.signal);
    ctx.files.note(resolved.path, state);
    return {path: shownPath(resolved), file: resolved.path, content: displayText(text), totalLines: splitLines(text).length, bytes};
  },
};
