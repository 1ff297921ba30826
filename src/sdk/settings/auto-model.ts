/** The value of `model` that leaves the choice to what was learned. */
export const AUTO_MODEL = 'auto';
/** The value of `toolset` and of `edit_dialect` that does the same. */
export const AUTO_TOOLS = 'auto';
/** The name under which its choices are learned. */
export const MODEL_DECISION = 'model';
