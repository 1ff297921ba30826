import {confinedWorkspace} from '../confined-workspace.ts';
import type {ToolContext} from '../context.ts';
import type {Operation} from '../operation.ts';

/**
 * The same operation, for a tool that refuses every path outside of the workspace where its toolset leaves that to the policy
 * ("Cannot write outside project directory" of vibe). OUTSIDE_SCOPE where the real path leads out.
 */
export function insideWorkspace<Args, Result>(operation: Operation<Args, Result>): Operation<Args, Result> {
  const {serialKey} = operation;
  return {
    ...operation,
    subjects: (args, ctx) => operation.subjects(args, confined(ctx)),
    ...(serialKey === undefined ? {} : {serialKey: (args: Args, ctx: ToolContext) => serialKey(args, confined(ctx))}),
    run: (args, ctx) => operation.run(args, confined(ctx)),
  };
}

function confined(ctx: ToolContext): ToolContext {
  return {...ctx, workspace: confinedWorkspace(ctx.workspace, {pathScope: 'inside'}, ctx.spoolDir)};
}
