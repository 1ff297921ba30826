import {commandLines} from '../../../src/agent/guards/command-lines.ts';
import type {ObservedCall} from '../../../src/agent/guards/observed-call.ts';

/** One reply of a model: the time that has passed since the one before (ms), and its calls. */
export interface Reply {
  readonly after?: number;
  readonly calls: readonly ObservedCall[];
}

type Make = (at: number) => ObservedCall | readonly ObservedCall[];

const observed = (toolName: string, over: Partial<ObservedCall>): ObservedCall => ({
  toolName,
  arguments: JSON.stringify(over.command ?? over.key ?? ''),
  text: '',
  isError: false,
  isRead: false,
  ...over,
});

const ok = (command: string, text: string): ObservedCall => observed('bash', {command, key: command, text, mayWait: true});
const fails = (command: string, text: string): ObservedCall => ({...ok(command, text), isError: true});
const edit = (text: string, isError = false): ObservedCall => observed('edit', {key: text, text, isError, hasChanges: !isError});
const read = (path: string, from: number, to: number, mark = ''): ObservedCall => {
  const lines = Array.from({length: to - from + 1}, (_, index) => `${path} line ${from + index}${mark}`);
  return observed('read', {key: `${path} ${from}-${to}`, text: lines.join('\n'), isRead: true, shown: {path, firstLine: from, lines}});
};
const sed = (path: string, from: number, to: number): ObservedCall => {
  const command = `sed -n '${from},${to}p' ${path}`;
  const text = Array.from({length: to - from + 1}, (_, index) => `${path} line ${from + index}`).join('\n');
  return {...ok(command, text), shown: commandLines(command, text)};
};
const grep = (pattern: string, text: string): ObservedCall => observed('grep', {key: pattern, text, isRead: true});

const times = (count: number, make: Make, after = 0): Reply[] =>
  Array.from({length: count}, (_, at) => ({after, calls: [make(at)].flat()}));

const LOG = ['1 failed in 0.1s', '1 failed in 0.25s', '1 failed in 3s'];
const failedIn = (at: number): string => LOG[at % LOG.length] ?? '';

/** Ended, at the given reply; `told`: the replies after which the model was told something. */
export const CIRCLES: readonly (readonly [string, readonly Reply[], {readonly told: readonly number[]; readonly ends: number}])[] = [
  ['a check that fails, pytest', times(9, (at) => fails('pytest', failedIn(at))), {told: [4, 6], ends: 8}],
  ['node --test', times(9, (at) => fails('node --test', `ℹ fail 1\nℹ duration_ms ${at}.5`)), {told: [4, 6], ends: 8}],
  ['jest', times(9, (at) => fails('npx jest', `1 failed\nTime: ${at}.2 s`)), {told: [4, 6], ends: 8}],
  ['cargo', times(9, (at) => fails('cargo test', `FAILED; finished in 0.0${at}s`)), {told: [4, 6], ends: 8}],
  ['go', times(9, (at) => fails('go test ./...', `--- FAIL: TestX (0.0${at}s)\nFAIL pkg 0.${at}23s`)), {told: [4, 6], ends: 8}],
  ['TAP', times(9, (at) => fails('tap', `not ok 1 # time=${at}ms`)), {told: [4, 6], ends: 8}],
  ['mocha', times(9, (at) => fails('npx mocha', `1 failing (${at}ms)`)), {told: [4, 6], ends: 8}],
  ['a seed', times(9, (at) => fails('rspec', `1 failure\nRandomized with seed ${at}`)), {told: [4, 6], ends: 8}],
  ['a process id', times(9, (at) => fails('node a.test.js', `(node:${at}) Error: x`)), {told: [4, 6], ends: 8}],
  ['a temporary path', times(9, (at) => fails('make test', `see /tmp/t${at}/log`)), {told: [4, 6], ends: 8}],
  ['colours now and then', times(9, (at) => fails('npm test', at % 2 === 0 ? '\u001b[31mno\u001b[0m' : 'no')), {told: [4, 6], ends: 8}],
  ['with other files read in between', times(9, (at) => [fails('npm test', failedIn(at)), read(`${at}.ts`, 1, 5)]), {told: [4], ends: 8}],
  [
    'with searches in between',
    times(20, (at) => (at % 2 === 0 ? fails('npm test', failedIn(at)) : grep(`${at}`, `${at}`))),
    {told: [7], ends: 15},
  ],
  [
    'with commands in between that only look',
    times(20, (at) => (at % 2 === 0 ? fails('npm test', 'x') : ok(`cat ${at}`, `${at}`))),
    {told: [7], ends: 15},
  ],
  [
    'with edits in between that fail',
    times(16, (at) => (at % 2 === 0 ? fails('npm test', 'x') : edit(`Not there: ${at}`, true))),
    {told: [7, 8], ends: 15},
  ],
  [
    'with the same command in between, which gives the same',
    times(20, (at) => (at % 2 === 0 ? fails('npm test', 'x') : ok('npm ci', 'up to date in 1s'))),
    {told: [7, 7, 9, 11], ends: 15},
  ],
  ['a check with thinking in between', times(9, (at) => fails('npm test', failedIn(at)), 5000), {told: [4], ends: 8}],
  ['a script of checks with thinking in between', times(9, () => fails('bash run-tests.sh', 'x'), 5000), {told: [4], ends: 8}],
  [
    'two checks that take turns',
    times(16, (at) => fails(at % 2 === 0 ? 'npm test' : 'npm run lint', 'x')),
    {told: [6, 7, 8, 8, 10], ends: 14},
  ],
  ['two checks in one reply', times(9, () => [fails('npm test', 'x'), fails('tsc', 'y')]), {told: [4, 4, 4, 6], ends: 8}],
  ['a passing check again and again', times(20, (at) => ok('npm test', `ok in ${at} ms`)), {told: [6, 10], ends: 14}],
  ['the same lines by other counts', times(20, (at) => read('a', 1, 100 - at)), {told: [4, 6, 10], ends: 14}],
  ['the same lines by other beginnings', times(20, (at) => read('a', 1 + at, 100)), {told: [4, 6, 10], ends: 14}],
  ['the same lines by other counts, with sed', times(20, (at) => sed('a', 1, 100 - at)), {told: [4, 6, 10], ends: 14}],
  [
    'the same lines with sed and with the tool',
    times(20, (at) => (at % 2 === 0 ? sed('a', 1, 90 - at) : read('a', 2, 90 - at))),
    {told: [4, 6, 10], ends: 14},
  ],
  [
    'a part of what was shown',
    times(20, (at) => (at === 0 ? read('a', 1, 500) : read('a', 20 * at, 20 * at + 50))),
    {told: [4, 6, 10], ends: 14},
  ],
  [
    'pages again after the last',
    [...times(5, (at) => read('a', 100 * at + 1, 100 * at + 100)), ...times(20, (at) => read('a', 50 * (at % 9) + 1, 50 * (at % 9) + 70))],
    {told: [8, 10, 14], ends: 18},
  ],
  ['two files in turns', times(20, (at) => read(at % 2 === 0 ? 'a' : 'b', 1, 50 - at)), {told: [7, 7, 8, 11], ends: 15}],
  [
    'a range beyond the end',
    times(20, () => observed('read', {key: 'a 900', text: '(nothing)', isRead: true, shown: {path: 'a', firstLine: 900, lines: []}})),
    {told: [4, 6, 10], ends: 14},
  ],
  ['failures that vary', times(17, (at) => fails(`tool --x ${at}`, `error ${at * 7919} of ${at}`)), {told: [8], ends: 16}],
  ['failing edits that vary', times(17, (at) => edit(`Old text ${at * 7919} is not there.`, true)), {told: [8], ends: 16}],
  [
    'failing calls that vary, four in a reply',
    times(5, (at) => [0, 1, 2, 3].map((more) => fails(`x ${at} ${more}`, `${at * 4 + more} is wrong`))),
    {told: [2], ends: 4},
  ],
  [
    'a hundred failing calls in a reply',
    times(5, (at) => Array.from({length: 100}, (_, more) => fails(`x ${at} ${more}`, `e${at}e${more}`))),
    {told: [2], ends: 4},
  ],
  ['a poll that never comes to an end', times(30, () => ok('cat status', 'pending'), 1000), {told: [], ends: 21}],
  ['a poll of two calls', times(40, (at) => (at % 2 === 0 ? ok('sleep 2', '') : ok('cat status', 'pending')), 1500), {told: [], ends: 22}],
  ['a poll in quick succession', times(20, () => ok('cat status', 'pending'), 999), {told: [6, 10], ends: 14}],
  ['the same read, by a slow model', times(20, () => read('a', 1, 50), 5000), {told: [4, 6, 10], ends: 14}],
  ['the same search, by a slow model', times(20, () => grep('x', 'a:1:x'), 5000), {told: [4, 6, 10], ends: 14}],
  ['two reads in turns, by a slow model', times(20, (at) => read(at % 2 === 0 ? 'a' : 'b', 1, 50), 5000), {told: [7, 7, 8, 11], ends: 15}],
  ['a circle of six commands', times(30, (at) => ok(`step ${at % 6}`, `${at % 6}`)), {told: [11, 15], ends: 19}],
  ['a wide circle with thinking in between', times(30, (at) => ok(`step ${at % 6}`, `${at % 6}`), 3000), {told: [11, 15], ends: 19}],
];

/** Never ended; `told`: as above. */
export const NO_CIRCLES: readonly (readonly [string, readonly Reply[], readonly number[]])[] = [
  ['a check after each of several edits', times(60, (at) => (at % 2 === 0 ? edit(`Edited ${at}`) : fails('npm test', failedIn(at)))), [8]],
  ['the same, in one reply each', times(30, (at) => [edit(`Edited ${at}`), fails('npm test', 'x')]), [4]],
  ['a check after the same edit again', times(30, (at) => [edit('Edited a'), fails('npm test', `x${at}`)]), [4]],
  [
    'a check that tells something else each time',
    times(30, (at) => (at % 2 === 0 ? fails('npm test', `case ${at} fails`) : ok(`cat ${at}`, `${at}`))),
    [7],
  ],
  [
    'a check with fewer failures each time',
    times(12, (at) => (at % 3 === 0 ? fails('npm test', `${30 - at} failed in 1s`) : ok(`cat ${at}`, `${at}`))),
    [10],
  ],
  [
    'a check after commands that change files',
    times(40, (at) => (at % 2 === 0 ? ok(`sed -i s/a/${at}/ f`, '') : fails('npm test', 'x'))),
    [8],
  ],
  ['a check after a generator', times(40, (at) => (at % 2 === 0 ? ok('npm run generate', `wrote ${at}`) : fails('npm test', 'x'))), [8]],
  [
    'a check that failed seven times, then an edit',
    [...times(7, () => fails('npm test', 'x')), ...times(8, (at) => (at === 0 ? edit('Edited') : grep(`${at}`, `${at}`)))],
    [4, 6],
  ],
  [
    'a check that passes now and then',
    times(40, (at) => [at % 5 === 4 ? ok('npm test', `ok ${at}`) : fails('npm test', 'x'), read(`${at}`, 1, 9)]),
    [4, 9, 14, 19, 24, 29, 34, 39],
  ],
  ['the same check in other folders', times(30, (at) => [fails(`cd pkg${at} && npm test`, `pkg${at} x`), grep(`${at}`, `${at}`)]), []],
  ['other checks', times(30, (at) => [fails(`pytest t${at}.py`, `t${at} failed`), read(`t${at}.py`, 1, 9)]), []],
  ['three failures, then an answer', times(3, () => fails('npm test', 'x')), []],
  [
    'seven failures that vary, then one that works',
    times(64, (at) => (at % 8 === 7 ? ok(`x ${at}`, `${at}`) : fails(`y ${at}`, `e${at}`))),
    [],
  ],
  ['failing guesses beside one that works', times(40, (at) => [fails(`y ${at}`, `e${at}`), read(`${at}`, 1, 9)]), []],
  [
    'fifteen failures that vary, then one that works',
    [...times(15, (at) => fails(`y ${at}`, `e${at}`)), ...times(2, (at) => ok(`x ${at}`, `${at}`))],
    [8],
  ],
  [
    'a hundred failing calls in one reply, then others',
    [...times(1, () => Array.from({length: 100}, (_, at) => fails(`x ${at}`, `e${at}`))), ...times(9, (at) => ok(`y ${at}`, `${at}`))],
    [],
  ],
  ['pages of a file', times(100, (at) => read('a', 100 * at + 1, 100 * at + 100)), []],
  ['pages of a file, with sed', times(100, (at) => sed('a', 100 * at + 1, 100 * at + 100)), []],
  ['one line more each time, with sed', times(100, (at) => sed('a', 1, 10 + at)), []],
  ['pages that overlap', times(100, (at) => read('a', 50 * at + 1, 50 * at + 100)), []],
  ['one line more each time', times(100, (at) => read('a', 1, 10 + at)), []],
  ['from the end to the beginning', times(50, (at) => read('a', 1000 - 20 * at, 1019 - 20 * at)), []],
  ['pages of two files in turns', times(100, (at) => read(at % 2 === 0 ? 'a' : 'b', 100 * at + 1, 100 * at + 100)), []],
  ['a file read after each edit', times(40, (at) => (at % 2 === 0 ? edit(`Edited ${at}`) : read('a', 1, 50))), []],
  ['a file that something else changes', times(40, (at) => read('a', 1, 50, ` v${at}`)), []],
  ['a log that grows', times(40, (at) => ok('cat log', Array.from({length: at + 1}, (_, line) => `line ${line}`).join('\n'))), []],
  ['a log whose last lines change', times(40, (at) => ok('tail -1 log', `built ${at} of 100 files`)), []],
  ['a progress in percent', times(40, (at) => ok('cat progress', `${at} %`), 500), []],
  ['a poll of 19 calls', times(19, () => ok('cat status', 'pending'), 1000), []],
  ['a poll that fails until the service is there', times(19, () => fails('curl -sf localhost:3000', 'connection refused'), 1000), [4]],
  ['a poll for a file', times(19, () => fails('test -f done', '(no output)'), 2000), [4]],
  ['a poll that sleeps by itself', times(19, () => ok('sleep 5; kubectl get pods', 'Pending'), 5000), []],
  ['a poll of two calls', times(18, (at) => (at % 2 === 0 ? ok('sleep 2', '') : ok('cat status', 'pending')), 1500), []],
  ['a poll of a session, with reads beside it', times(60, (at) => [ok('wait', 'running'), read(`${at}`, 1, 9)], 10), []],
  ['a poll of the output of a session', times(19, () => observed('session', {key: 'output 1', text: 'running', mayWait: true}), 1000), []],
  ['a file read after each sleep', times(18, (at) => (at % 2 === 0 ? ok('sleep 2', '') : grep('done', '(no matches)')), 1500), [8]],
  ['polls of several services', times(57, (at) => ok(`curl host${Math.floor(at / 19)}`, 'no'), 1000), []],
  ['a large repository', times(200, (at) => read(`src/${at}.ts`, 1, 40)), []],
  ['searches', times(100, (at) => grep(`word${at}`, `found ${at}`)), []],
  ['searches without a match', times(4, (at) => grep(`word${at}`, '(no matches)')), []],
];
