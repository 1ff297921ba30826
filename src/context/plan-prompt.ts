/** Builds the instructions of the mode plan; `path` is the file of the plan. */
export function planPrompt(path: string): string {
  return `Mode plan: look and plan; changes are denied until the user accepts a plan. Commands that only look run.
Keep the plan in ${path}, the one file you may write: what is to be reached, then numbered steps such as
1. Parse the header -> files: src/header.ts -> verify: npm test -- header
When it is ready, call exit_plan_mode; without that tool give it as your answer.`;
}
