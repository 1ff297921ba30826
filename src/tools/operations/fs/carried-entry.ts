import * as z from 'zod/mini';
import type {Subject} from '../../../policy/decision.ts';
import type {ToolContext} from '../../context.ts';
import {carriedTo, entryFiles, entrySubjects, reportedFiles} from './entry-files.ts';
import {fileChanges} from './file-changes.ts';
import {destinationEntry, existingEntry} from './named-entry.ts';

/** The arguments of copying and moving: source, destination, and the files concerned. */
export const carryArgs = z.object({
  source: z.string(),
  /** The new path. If it is an existing folder, or ends with `/`, the entry goes into it under the same name. */
  destination: z.string(),
});

export const carryResult = z.object({
  source: z.string(),
  /** The new path. */
  destination: z.string(),
  /** The new path, absolute. */
  file: z.string(),
  changes: fileChanges,
});

export type CarryArgs = z.infer<typeof carryArgs>;
export type CarryResult = z.infer<typeof carryResult>;

export interface Carry {
  /** Absolute. */
  readonly from: string;
  /** Absolute. */
  readonly to: string;
  /** Each file with its new path; if there are very many, the folder. */
  readonly reported: readonly {readonly from: string; readonly to: string}[];
  /** Returns the subjects of the call; moving counts as writing the source. */
  subjects(writesSource: boolean): readonly Subject[];
  result(changes: CarryResult['changes']): CarryResult;
}

/** Plans copying or moving. Throws NOT_FOUND for a source that is missing, BAD_ARGS for a destination that is taken. */
export async function planCarry({source, destination}: CarryArgs, ctx: ToolContext): Promise<Carry> {
  const from = await existingEntry(source, ctx);
  const to = await destinationEntry(from, destination, ctx);
  const sources = await entryFiles(from, ctx);
  const targets = sources.map((file) => carriedTo(file, from, to));
  return {
    from: from.path,
    to: to.path,
    reported: reportedFiles(from, sources).map((file) => ({from: file, to: carriedTo(file, from, to)})),
    subjects: (writesSource) => [...entrySubjects(from, sources, writesSource), ...entrySubjects(to, targets, true)],
    result: (changes) => ({source: from.relative, destination: to.relative, file: to.path, changes}),
  };
}
