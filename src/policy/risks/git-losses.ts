/**
 * Returns why an option or operand of a git command cannot be undone: it drops commits, branches or changes that
 * nothing else holds, here or in the remote repository (git-branch, git-push, git-reset, git-clean,
 * git-checkout, git-switch, git-tag, git-worktree, git-update-ref, git-gc › OPTIONS). Abbreviations count: git
 * takes any beginning that is unique.
 */
export function gitLoss(subcommand: string, value: string): string | undefined {
  return LOSES[subcommand]?.test(value) === true ? `${value} of git ${subcommand} cannot be taken back` : undefined;
}

const LOSES: Readonly<Record<string, RegExp>> = {
  branch: /^--fo|^-[a-zA-Z]*[DMCf]/,
  push: /^--(?:for|del|mir|pru)|^-[a-zA-Z]*[fd]|^\+.|^:./,
  reset: /^--ha/,
  clean: /^--fo|^-[a-zA-Z]*f/,
  checkout: /^--fo|^-[a-zA-Z]*[fB]/,
  switch: /^--(?:fo|dis)|^-[a-zA-Z]*[fC]/,
  tag: /^--(?:del|fo)|^-[a-zA-Z]*[df]/,
  worktree: /^--fo|^-[a-zA-Z]*f/,
  'update-ref': /^--(?:del|std)|^-[a-zA-Z]*d/,
  'symbolic-ref': /^--del|^-[a-zA-Z]*d/,
  gc: /^--pru/,
  'read-tree': /^--reset/,
};

/** The same for the word after the sub-command (git-stash, git-remote, git-reflog, git-notes). */
export const FIRST_WORD_LOSES: Readonly<Record<string, RegExp>> = {
  stash: /^(?:drop|clear)$/,
  remote: /^(?:remove|rm|set-url)$/,
  reflog: /^(?:expire|delete|drop)$/,
  notes: /^(?:remove|prune)$/,
  prune: /^(?!-n$|--dry-run$)/,
};
