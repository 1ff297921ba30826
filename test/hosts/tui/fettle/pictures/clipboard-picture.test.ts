import {chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {clipboardPicture} from '../../../../../src/hosts/tui/fettle/pictures/clipboard-picture.ts';
import {scratch} from '../../../../support/scratch.ts';
import {never} from '../session-support.ts';
import {PICTURES} from './picture-files.ts';

/** Programs of `/bin/sh` on a PATH of their own; `$PICTURES` has a file for each format. */
async function tools(scripts: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) {
  const [root, bin] = [await scratch({}), await scratch({})];
  for (const [type, bytes] of Object.entries(PICTURES)) writeFileSync(join(bin, `a.${type}`), bytes);
  for (const [name, script] of Object.entries(scripts)) program(join(bin, name), script.replaceAll('$PICTURES', bin));
  const read = async (signal = never) =>
    await clipboardPicture({root, env: {...env, PATH: bin}, timeoutMs: 20_000}, signal).then(
      ({bytes, type}) => [type, Buffer.from(bytes).equals(PICTURES[type])],
      ({code, message}) => [code, message],
    );
  return {root, bin, read};
}

function program(path: string, script: string): void {
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

/** A program that lists types, and gives one of them. */
const giving = (types: string, type: string, file: string): string =>
  `case "$*" in *--list-types*|*TARGETS*) printf '${types}';; *${type}*) exec /bin/cat $PICTURES/${file};; *) exit 1;; esac`;
const GIVES = {
  png: giving(String.raw`text/plain\nimage/jpeg\nimage/png\n`, 'image/png', 'a.png'),
  jpg: giving(String.raw`TARGETS\nimage/jpeg\n`, 'image/jpeg', 'a.jpg'),
  text: giving(String.raw`text/plain\nUTF8_STRING\n`, 'text/plain', 'a.png'),
};
const HEX = PICTURES.png.toString('hex').toUpperCase();

describe('the picture in the clipboard, by programs on PATH', () => {
  it.each<[how: string, scripts: Readonly<Record<string, string>>, read: readonly unknown[]]>([
    ['wl-paste', {'wl-paste': GIVES.png}, ['png', true]],
    ['xclip, another type', {xclip: GIVES.jpg}, ['jpg', true]],
    ['pngpaste', {pngpaste: '[ "$1" = - ] && exec /bin/cat $PICTURES/a.png'}, ['png', true]],
    ['osascript', {osascript: `echo '«data PNGf${HEX}»'`}, ['png', true]],
    ['a second one where the first has nothing', {xclip: 'exit 1', 'wl-paste': GIVES.png}, ['png', true]],
    ['only text in it', {xclip: GIVES.text, 'wl-paste': 'exit 1'}, ['NOT_FOUND', 'The clipboard contains no picture.']],
    ['an empty answer', {pngpaste: 'exit 0'}, ['NOT_FOUND', 'The clipboard contains no picture.']],
    ['a program that cannot run', {pngpaste: 'kill -9 $$'}, ['NOT_FOUND', 'The clipboard contains no picture.']],
    [
      'an answer that is not a picture',
      {pngpaste: 'printf "\\033[2Jhello"'},
      ['NOT_A_FILE', 'The clipboard contains no picture: pngpaste gave something that is not a PNG, JPEG, GIF or WebP picture.'],
    ],
    ['output without end', {pngpaste: 'exec /usr/bin/yes'}, ['TOO_LARGE', 'The picture in the clipboard is larger than 10 MB.']],
    ['a list without end', {xclip: 'exec /usr/bin/yes text/plain'}, ['TOO_LARGE', 'The picture in the clipboard is larger than 10 MB.']],
    ['no program', {}, ['UNAVAILABLE', 'The clipboard cannot be read: no program for it is on PATH.']],
  ])('%s', async (_, scripts, read) => {
    expect(await (await tools(scripts)).read()).toEqual(read);
  });

  it('Wayland is asked first where it runs, and the programs get the displays but no secret', async () => {
    const spy = '/usr/bin/env > $PICTURES/env; exit 1';
    const env = {WAYLAND_DISPLAY: 'wayland-1', DISPLAY: ':7', OPENAI_API_KEY: 'sk-secret-secret'};
    const at = await tools({'wl-paste': GIVES.png, xclip: GIVES.jpg}, env);
    expect([await at.read(), await (await tools({'wl-paste': GIVES.png, xclip: GIVES.jpg})).read()]).toEqual([
      ['png', true],
      ['jpg', true],
    ]);
    const spied = await tools({pngpaste: spy}, env);
    await spied.read();
    const seen = readFileSync(join(spied.bin, 'env'), 'utf8');
    expect(['WAYLAND_DISPLAY=wayland-1', 'DISPLAY=:7', 'sk-secret'].map((text) => seen.includes(text))).toEqual([true, true, false]);
  });

  it('no program of the folder that is worked in is run', async () => {
    const at = await tools({});
    mkdirSync(join(at.root, 'bin'));
    program(join(at.root, 'bin/pngpaste'), `echo run > ${at.root}/ran`);
    const place = {root: at.root, env: {PATH: `bin:.:${join(at.root, 'bin')}`}};
    await expect(clipboardPicture(place, never)).rejects.toMatchObject({code: 'UNAVAILABLE'});
    expect(existsSync(join(at.root, 'ran'))).toBe(false);
  });

  it('a program that hangs is ended, with what it started', async () => {
    const at = await tools({pngpaste: '/bin/sleep 1000 & echo $! > $PICTURES/child; wait'});
    const place = {root: at.root, env: {PATH: at.bin}, timeoutMs: 2000};
    await expect(clipboardPicture(place, never)).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: 'The clipboard was not read: pngpaste did not answer in time.',
    });
    await isGone(Number(readFileSync(join(at.bin, 'child'), 'utf8')));
  });

  it('a signal ends the program', async () => {
    const at = await tools({pngpaste: 'echo $$ > $PICTURES/own; exec /bin/sleep 1000'});
    const stop = new AbortController();
    const reading = at.read(stop.signal);
    await expect.poll(() => existsSync(join(at.bin, 'own')) && readFileSync(join(at.bin, 'own'), 'utf8')).toMatch(/\d\n/);
    stop.abort();
    expect(await reading).toEqual(['CANCELLED', 'Cancelled.']);
    await isGone(Number(readFileSync(join(at.bin, 'own'), 'utf8')));
  });
});

/** A process that was killed may wait for its parent to notice. */
async function isGone(pid: number): Promise<void> {
  await expect
    .poll(() => {
      try {
        return /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
      } catch {
        return 'gone';
      }
    })
    .toMatch(/^(?:gone|Z)$/);
}
