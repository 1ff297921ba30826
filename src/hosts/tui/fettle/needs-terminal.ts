/** Refuses a line of the shell whose program draws on a terminal: it would wait for ever for keys that do not come. Undefined: the line can run. */
export function needsTerminal(line: string): {readonly output: string; readonly exitCode: number} | undefined {
  const [, program] = /^\s*(vim?|nvim|nano|emacs|htop|top|less|more|man|tmux|screen)(?:\s[^|<>;&]*)?$/.exec(line) ?? [];
  if (program === undefined) return undefined;
  return {output: `${program} needs a terminal, which ! does not have. Ctrl-Z goes to the shell, fg comes back.`, exitCode: 126};
}
