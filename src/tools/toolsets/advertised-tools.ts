import type {Capability} from '../ports/capability.ts';
import type {Tool, Toolset} from '../toolset.ts';

export interface AdvertisedTo {
  /** As configured: `provider/model`. Undefined: the caller has a model that is not known here, and decides which tools it can use. */
  readonly model: string | undefined;
  /** The setting `tools.composite_tools_enabled`. */
  readonly compositeTools: boolean;
  /** False: nobody can be asked, and tools that ask are hidden. */
  readonly hasPerson: boolean;
  /** Capabilities of the session; absent: none. */
  readonly capabilities?: ReadonlySet<Capability> | undefined;
}

/**
 * The tools that are advertised to a model; the others still run if a model calls them. Composite tools are shown only to families that handle
 * them well: "gated by model family and the composite_tools_enabled feature flag" (zblade tool calls › Composite Read-Only Tools).
 */
export function advertisedTools(toolset: Toolset, {model, compositeTools, hasPerson, capabilities}: AdvertisedTo): readonly Tool[] {
  const composite = compositeTools && (model === undefined || FAMILIES.some((family) => model.toLowerCase().includes(family)));
  return toolset.tools.filter(({audience = 'everyone', sideEffect, requires}) => {
    if (sideEffect === 'interact' && !hasPerson) return false;
    if (requires !== undefined && capabilities?.has(requires) !== true) return false;
    return audience === 'everyone' || (audience === 'composite' && composite);
  });
}

const FAMILIES = ['gpt', 'o3', 'o4', 'claude', 'codex', 'qwen', 'deepseek', 'gemini'];
