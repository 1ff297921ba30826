import {FettleError} from '../../../../base/errors.ts';
import {childEnvironment} from '../../../../exec/variables/child-environment.ts';
import {clipboardTools, PICTURE_TYPES, type ClipboardTool} from './clipboard-tools.ts';
import {findTool} from './find-tool.ts';
import {MOST_PICTURE_BYTES, pictureType} from './picture-type.ts';
import type {Picture} from './read-picture.ts';
import {runTool, type ToolEnd} from './run-tool.ts';

export interface ClipboardPlace {
  /** The folder that is worked in. */
  readonly root: string;
  /** PATH is searched; the names of displays are passed on. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds for each program; absent: 5 s. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Reads the picture in the clipboard, by the first program on PATH that has one. Throws UNAVAILABLE without such a program, NOT_FOUND without
 * a picture, TIMEOUT, TOO_LARGE above 10 MB, NOT_A_FILE for what is not a picture, CANCELLED.
 */
export async function clipboardPicture(place: ClipboardPlace, signal: AbortSignal): Promise<Picture> {
  const env = environmentOf(place.env);
  const tools = await installed(place, env);
  if (tools.length === 0) throw unavailable();
  for (const {tool, program} of tools) {
    const run = async (args: readonly string[], maxBytes: number): Promise<Buffer | undefined> =>
      outputOf(await runTool({program, args, env, maxBytes, timeoutMs: place.timeoutMs ?? TIMEOUT_MS}, signal), tool.program);
    const type = await typeIn(tool, run);
    const output =
      type === undefined ? undefined : await run(tool.read(type), tool.decode === undefined ? MOST_PICTURE_BYTES : MOST_ENCODED);
    if (output === undefined || output.length === 0) continue;
    return pictureOf(tool.decode?.(output) ?? output, tool.program);
  }
  throw new FettleError({code: 'NOT_FOUND', message: 'The clipboard contains no picture.'});
}

const TIMEOUT_MS = 5000;
const MOST_LISTED = 100_000;
/** Two digits for each byte. */
const MOST_ENCODED = 2 * MOST_PICTURE_BYTES + 100;

function environmentOf(env: ClipboardPlace['env']): Readonly<Record<string, string>> {
  const displays = ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY'].flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {...childEnvironment(env), ...Object.fromEntries(displays)};
}

interface InstalledTool {
  readonly tool: ClipboardTool;
  readonly program: string;
}

async function installed({root, env: outer}: ClipboardPlace, env: Readonly<Record<string, string>>): Promise<readonly InstalledTool[]> {
  const found = clipboardTools(outer).map(async (tool) => {
    const program = await findTool(tool.program, {path: env['PATH'] ?? '', root});
    return program === undefined ? [] : [{tool, program}];
  });
  return (await Promise.all(found)).flat();
}

/** The type to ask for; undefined if the clipboard holds no picture. */
async function typeIn(
  {list}: ClipboardTool,
  run: (args: readonly string[], maxBytes: number) => Promise<Buffer | undefined>,
): Promise<string | undefined> {
  if (list === undefined) return 'image/png';
  const listed = (await run(list, MOST_LISTED))?.toString('latin1').split(/\s+/) ?? [];
  return PICTURE_TYPES.find((type) => listed.includes(type));
}

/** Undefined if the program says that it has nothing. */
function outputOf(end: ToolEnd, program: string): Buffer | undefined {
  if (end.type === 'done') return end.output;
  if (end.type === 'failed') return undefined;
  if (end.type === 'cancelled') throw new FettleError({code: 'CANCELLED', message: 'Cancelled.'});
  if (end.type === 'timeout')
    throw new FettleError({code: 'TIMEOUT', message: `The clipboard was not read: ${program} did not answer in time.`});
  throw tooLarge();
}

function pictureOf(bytes: Buffer, program: string): Picture {
  if (bytes.length > MOST_PICTURE_BYTES) throw tooLarge();
  const type = pictureType(bytes);
  if (type !== undefined) return {bytes, type};
  const message = `The clipboard contains no picture: ${program} gave something that is not a PNG, JPEG, GIF or WebP picture.`;
  throw new FettleError({code: 'NOT_A_FILE', message});
}

function tooLarge(): FettleError {
  return new FettleError({code: 'TOO_LARGE', message: `The picture in the clipboard is larger than ${MOST_PICTURE_BYTES / 1_000_000} MB.`});
}

function unavailable(): FettleError {
  return new FettleError({
    code: 'UNAVAILABLE',
    message: 'The clipboard cannot be read: no program for it is on PATH.',
    hint: 'Install wl-paste (wl-clipboard) for Wayland, xclip for X11 or pngpaste for macOS, or paste the path of a picture.',
  });
}
