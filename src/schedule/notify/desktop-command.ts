export interface Desktop {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The name of the operating system in Node. */
  readonly platform: string;
  /** Says whether a program is installed. */
  has(program: string): boolean;
}

/** Returns the command that shows a notification on the desktop of the person; undefined where there is none. */
export function desktopCommand(
  {title, text}: {readonly title: string; readonly text: string},
  {env, platform, has}: Desktop,
): readonly string[] | undefined {
  if (platform === 'darwin')
    return has('osascript') ? ['osascript', ...APPLE_SCRIPT.flatMap((line) => ['-e', line]), title, text] : undefined;
  const isDesktop = ['DBUS_SESSION_BUS_ADDRESS', 'WAYLAND_DISPLAY', 'DISPLAY'].some((name) => (env[name] ?? '') !== '');
  if (platform !== 'linux' || !isDesktop || !has('notify-send')) return undefined;
  return ['notify-send', '--app-name=Fettle', '--', title, escaped(text)];
}

/** Title and text are arguments and no part of the script. */
const APPLE_SCRIPT = ['on run argv', 'display notification (item 2 of argv) with title (item 1 of argv)', 'end run'];

/** Desktop Notifications Specification › Markup: the text is XML. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
