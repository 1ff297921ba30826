import {applyDiffHunks} from '../../../text/diff/hunks.ts';
import type {ApprovalQuestion, ApprovalReply} from '../host-adapter.ts';
import type {ChangedPiece, Entry} from '../model/entry.ts';

/**
 * Records at a call which changes were allowed: the person has seen the files before and after, while the arguments may contain a whole file of
 * which little changes, or changes that were left out.
 */
export function withApproved(entries: readonly Entry[], question: ApprovalQuestion, reply: ApprovalReply): readonly Entry[] {
  if (question.diffs.length === 0 || reply.decision === 'deny' || reply.decision === 'cancelled') return entries;
  const chosen = reply.decision === 'hunks' ? new Set(reply.hunks) : undefined;
  const approved = question.diffs.map(({path, before = '', after = '', hunks = []}, file): ChangedPiece => {
    if (chosen === undefined) return {path, before, after};
    const taken = new Set(hunks.flatMap((_, index) => (chosen.has(`${file}:${index}`) ? [index] : [])));
    return {path, before, after: applyDiffHunks(before, hunks, taken)};
  });
  return entries.map((entry) => (entry.kind === 'tool' && entry.callId === question.id ? {...entry, approved} : entry));
}
