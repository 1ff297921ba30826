/**
 * One key press, or one paste. `name` is the key with its modifiers in the order ctrl, alt, shift (`enter`, `ctrl+a`, `alt+left`,
 * `shift+tab`); a printable character is its own name, and also in `text`.
 */
export type KeyInput =
  | {readonly type: 'key'; readonly name: string; readonly text?: string | undefined}
  | {readonly type: 'paste'; readonly text: string};
