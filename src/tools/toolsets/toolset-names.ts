/** Returns the names of all tools of all toolsets, with the families by which rules know them. Loads every toolset. */
export async function toolsetToolNames(): Promise<ReadonlySet<string>> {
  const {TOOLSET_NAMES, loadToolsetByName} = await import('./load-toolset.ts');
  const toolsets = await Promise.all(TOOLSET_NAMES.map(loadToolsetByName));
  const tools = await Promise.all(toolsets.map(async (toolset) => [...toolset.tools, ...((await toolset.deferred?.()) ?? [])]));
  return new Set(tools.flat().flatMap(({name, permission}) => [name, permission]));
}
