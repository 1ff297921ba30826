/** A program that prints the picture in the clipboard. */
export interface ClipboardTool {
  readonly program: string;
  /** Arguments to list the types in the clipboard, one on each line; absent: it has no such list. */
  readonly list?: readonly string[];
  /** Arguments to write the content of one type to stdout. */
  readonly read: (type: string) => readonly string[];
  /** Extracts the bytes of the picture from the output; absent: the output itself. */
  readonly decode?: (output: Buffer) => Buffer;
}

/** Types of pictures, the one that loses nothing first. */
export const PICTURE_TYPES = ['image/png', 'image/webp', 'image/jpeg', 'image/gif'] as const;

/** The programs of Wayland, X11 and macOS, in the order in which they are tried. */
export function clipboardTools(env: Readonly<Record<string, string | undefined>>): readonly ClipboardTool[] {
  const isWayland = (env['WAYLAND_DISPLAY'] ?? '') !== '';
  return isWayland ? [WAYLAND, X11, ...MAC] : [X11, WAYLAND, ...MAC];
}

const WAYLAND: ClipboardTool = {
  program: 'wl-paste',
  list: ['--list-types'],
  read: (type) => ['--no-newline', '--type', type],
};
const X11: ClipboardTool = {
  program: 'xclip',
  list: ['-selection', 'clipboard', '-t', 'TARGETS', '-o'],
  read: (type) => ['-selection', 'clipboard', '-t', type, '-o'],
};
const MAC: readonly ClipboardTool[] = [
  {program: 'pngpaste', read: () => ['-']},
  {program: 'osascript', read: () => ['-e', 'get the clipboard as «class PNGf»'], decode: bytesOfHex},
];

/** AppleScript writes bytes as `«data PNGf89504E47…»`. */
function bytesOfHex(output: Buffer): Buffer {
  const [, hex = ''] = /«data PNGf([\da-f]*)»/i.exec(output.toString('utf8')) ?? [];
  return Buffer.from(hex, 'hex');
}
