/** Returns the names of all tools of all toolsets, with the families by which rules know them. Loads every toolset. */
export async function toolsetToolNames(): Promise<ReadonlySet<string>> {
  const {TOOLSET_NAMES, toolsetNamed} = await import('./toolset-named.ts');
  const toolsets = await Promise.all(TOOLSET_NAMES.map(toolsetNamed));
  const tools = await Promise.all(toolsets.map(async (toolset) => [...toolset.tools, ...((await toolset.deferred?.()) ?? [])]));
  return new Set(tools.flat().flatMap(({name, permission}) => [name, permission]));
}
