import {relative} from 'node:path';
import * as z from 'zod/mini';
import {plainOperation} from '../../operation.ts';
import {childrenOf} from './control-agent.ts';
import {writeSubjects} from '../fs/path-subjects.ts';

const args = z.object({
  /** The id of a subagent. */
  agent: z.string(),
});

/** `name` is relative to the workspace. */
const file = z.object({path: z.string(), name: z.string(), kind: z.enum(['add', 'delete', 'update'])});
const result = z.object({files: z.array(file)});

export type MergeAgentArgs = z.infer<typeof args>;
export type MergeAgentResult = z.infer<typeof result>;

/**
 * Merges the changes of a subagent in its own copy of the repository into the workspace: all of them, or none. A
 * person has to approve: besides each file, the id of the subagent is a subject of the rules for writing, and no
 * mode but full-auto allows such a name. Throws STALE if the workspace has other changes at the same place, or
 * is on another branch.
 */
export const mergeAgent = plainOperation<MergeAgentArgs, MergeAgentResult>({
  id: 'agent.merge',
  permission: 'write',
  args,
  result,
  sideEffect: 'write',
  async subjects({agent}, ctx) {
    const {files} = await childrenOf(ctx).proposal(agent);
    const paths = await Promise.all(files.map(async ({path}) => await writeSubjects(path, ctx)));
    return [{kind: 'name', name: agent}, ...paths.flat()];
  },
  async run({agent}, ctx) {
    const proposal = await childrenOf(ctx).proposal(agent);
    await proposal.apply(ctx.signal);
    return {files: proposal.files.map(({path, kind}) => ({path, kind, name: relative(ctx.workspace.root, path)}))};
  },
});
