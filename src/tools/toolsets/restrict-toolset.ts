import type {Tool, Toolset} from '../toolset.ts';

/** Returns a toolset in which only some tools can be called, for read-only runs and subagents. This includes tools that are not advertised. */
export function restrictToolset(toolset: Toolset, allows: (tool: Tool) => boolean): Toolset {
  const {accepts, deferred} = toolset;
  return {
    ...toolset,
    tools: toolset.tools.filter(allows),
    ...(accepts === undefined ? {} : {accepts: (tool: Tool) => accepts(tool) && allows(tool)}),
    ...(deferred === undefined ? {} : {deferred: async () => (await deferred()).filter(allows)}),
  };
}
