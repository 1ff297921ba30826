/** Refuses a shell line whose program draws on a terminal: it would wait forever for keys. Undefined: the line can run. */
export function needsTerminal(line: string): {readonly output: string; readonly exitCode: number} | undefined {
  const [, program] = /^\s*(vim?|nvim|nano|emacs|htop|top|less|more|man|tmux|screen)(?:\s[^|<>;&]*)?$/.exec(line) ?? [];
  if (program === undefined) return undefined;
  return {output: `${program} needs a terminal, which ! does not have. Ctrl-Z goes to the shell, fg comes back.`, exitCode: 126};
}
