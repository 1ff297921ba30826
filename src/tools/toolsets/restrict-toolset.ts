import type {Tool, Toolset} from '../toolset.ts';

/** A toolset in which only some tools can be called, also of those that it does not show: read-only runs, subagents. */
export function restrictToolset(toolset: Toolset, allows: (tool: Tool) => boolean): Toolset {
  const {accepts, deferred} = toolset;
  return {
    ...toolset,
    tools: toolset.tools.filter(allows),
    ...(accepts === undefined ? {} : {accepts: (tool: Tool) => accepts(tool) && allows(tool)}),
    ...(deferred === undefined ? {} : {deferred: async () => (await deferred()).filter(allows)}),
  };
}
