import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {dockerPlace, placeProblems} from '../../../src/lab/suite/harbor/docker-place.ts';
import {parseDockerfile} from '../../../src/lab/suite/harbor/dockerfile.ts';
import {expand, words} from '../../../src/lab/suite/harbor/docker-words.ts';
import {scratch} from '../../support/scratch.ts';

describe('a Dockerfile', () => {
  it('is a list of instructions with their lines (Dockerfile reference › Format)', () => {
    const source =
      '# syntax=docker/dockerfile:1\nfrom x\n\nRUN a && \\\n    # between\n\n    b \\  \n    c\r\n  COPY a b\nRUN <<EOF\nx\nEOF\n';
    expect(parseDockerfile(source)).toEqual([
      {line: 2, name: 'FROM', text: 'x'},
      {line: 4, name: 'RUN', text: 'a && b c'},
      {line: 9, name: 'COPY', text: 'a b'},
      {line: 10, name: 'UNKNOWN', text: 'RUN <<EOF'},
      {line: 11, name: 'X', text: ''},
      {line: 12, name: 'EOF', text: ''},
    ]);
    expect(parseDockerfile('# escape=`\nFROM x')[0]).toEqual({line: 1, name: 'UNKNOWN', text: '# escape=`'});
  });

  it('never fails, whatever it says', async () => {
    const context = await scratch();
    const line = fc.oneof(
      fc
        .tuple(fc.constantFrom('FROM', 'RUN', 'COPY', 'ADD', 'ENV', 'ARG', 'WORKDIR', 'USER', '#', ''), fc.string())
        .map((parts) => parts.join(' ')),
      fc.string({unit: 'binary'}),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const place = dockerPlace(parseDockerfile(lines.join('\n')), context);
        expect(place.copies.filter(({from, to}) => from !== context || !to.startsWith('/'))).toEqual([]);
        expect(place.workdir.startsWith('/')).toBe(true);
      }),
      {numRuns: 40},
    );
  });
});

describe('words and variables of instructions', () => {
  it('are those after quote removal', () => {
    expect(words(String.raw`a "b c" 'd"e' f\ g h"i"j "x\"y"`)).toEqual(['a', 'b c', 'd"e', 'f g', 'hij', 'x"y']);
    expect(expand(String.raw`$A-${'${'}A}b ${'${'}C:-d} \$A`, {A: '1'})).toBe('1-1b d $A');
    expect(expand('$GONE', {})).toBeUndefined();
    expect(expand('$constructor', {})).toBeUndefined();
  });
});

describe('the place of a Dockerfile', () => {
  const problems = async (text: string, has: readonly string[] = []): Promise<readonly string[]> => {
    const context = await scratch({'a.csv': '', 'b.csv': '', 'dir/x': '', 'a.tar': ''});
    const place = dockerPlace(parseDockerfile(text), context);
    return placeProblems(place, {has: new Set(has), isElsewhere: () => false});
  };

  it.each([
    ['FROM python:3.12-slim', ['python3']],
    ['FROM --platform=linux/amd64 docker.io/library/node:22', ['node', 'npm']],
    [
      'FROM ubuntu\nRUN apt-get update && apt-get install -y --no-install-recommends jq=1.6 build-essential && rm -rf /var/lib/apt/lists/*',
      ['jq', 'gcc', 'g++', 'make'],
    ],
    ['FROM ubuntu\nLABEL a=b\nEXPOSE 80\nCMD ["bash"]\nUSER root\nARG X=1\nENV A=$X B="c d"\nENV C d e', []],
    ['FROM ubuntu\nWORKDIR /app\nRUN mkdir -p out && touch out/x && echo hi > /app/y && chmod 600 out/x', []],
    ['FROM ubuntu\nWORKDIR /app\nCOPY a.csv /app/\nCOPY *.csv ./\nADD dir /app/dir', []],
  ])('%j needs no container', async (text, programs) => {
    expect(await problems(`${text}\nWORKDIR /app`, programs)).toEqual([]);
    const missing = programs.map((name) => `${name} is not on PATH.`);
    expect((await problems(`${text}\nWORKDIR /app`)).map((line) => line.replace(/^[^ ]+ /, ''))).toEqual(missing);
  });

  it.each([
    ['FROM ghcr.io/org/image:1', 'FROM ghcr.io/org/image:1: an image whose content is not known'],
    ['FROM $BASE', 'FROM $BASE: an image whose content is not known'],
    ['FROM ubuntu AS x', 'FROM ubuntu AS x: an image whose content is not known'],
    ['RUN pip install numpy', 'RUN pip install numpy: runs pip'],
    ['RUN echo x > /etc/passwd', 'RUN echo x > /etc/passwd: writes /etc/passwd'],
    ['RUN mkdir /srv/x', 'RUN mkdir /srv/x: touches /srv/x'],
    ['RUN cp /app/x y', 'RUN cp /app/x y: touches /y'],
    ['RUN cd /app && cp x ../y', 'RUN cd /app && cp x ../y: touches /x'],
    ['RUN echo x > y', 'RUN echo x > y: writes y'],
    ['RUN touch ~/x', 'RUN touch ~/x: touches /~/x'],
    [
      'RUN apt-get install -y jq || mkdir /app/x',
      'RUN apt-get install -y jq || mkdir /app/x: installs and does other things in one construct',
    ],
    ['RUN touch "$HOME/x"', 'RUN touch "$HOME/x": touches /"$HOME/x"'],
    ['RUN ["sh"]', 'RUN ["sh"]: this form of RUN is not understood'],
    ['RUN --mount=type=secret,id=x cat', 'RUN --mount=type=secret,id=x cat: this form of RUN is not understood'],
    ['COPY --from=build /x /app/x', 'COPY --from=build /x /app/x: --from=build is not understood'],
    ['COPY ../secret /app/', 'COPY ../secret /app/: secret is not a file or folder here'],
    ['COPY gone.* /app/', 'COPY gone.* /app/: gone.* is not there'],
    ['ADD https://example.com/x /app/', 'ADD https://example.com/x /app/: https://example.com/x is fetched or unpacked'],
    ['ADD a.tar /app/', 'ADD a.tar /app/: a.tar is fetched or unpacked'],
    ['ENV PATH=/x:$PATH', 'ENV PATH=/x:$PATH: a variable that is not set here'],
    ['ENV LD_PRELOAD=/app/x.so', 'ENV LD_PRELOAD=/app/x.so: LD_PRELOAD decides which programs run'],
    ['ENTRYPOINT ["/start"]', 'ENTRYPOINT ["/start"]: not understood'],
    ['RUN <<EOF', 'UNKNOWN RUN <<EOF: not understood'],
  ])('%j does', async (text, problem) => {
    const isBase = text.startsWith('FROM');
    expect(await problems(`${isBase ? '' : 'FROM ubuntu\n'}${text}\nWORKDIR /app`, ['jq'])).toEqual([
      `environment/Dockerfile:${isBase ? 1 : 2}: ${problem}.`,
    ]);
  });

  it('must be /app, and its files below', async () => {
    expect(await problems('FROM ubuntu\nCOPY dir /data')).toEqual([
      'The working folder is /; without a container it must be /app or below.',
      'It copies 1 entry to other places than /app: /data.',
    ]);
    expect(await problems('')).toEqual([
      'environment/Dockerfile:1: FROM is missing.',
      'The working folder is /; without a container it must be /app or below.',
    ]);
  });
});
