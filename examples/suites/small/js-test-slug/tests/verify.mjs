// The tests must pass with the code as it was, and fail with each of these broken ones.
import {spawn} from 'node:child_process';
import {cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const GOOD = readFileSync(join(import.meta.dirname ?? 'hidden-tests', 'good.mjs.txt'), 'utf8');
const BROKEN = {
  'upper case stays': ['.toLowerCase()', ''],
  'accents become dashes': ["replace(/\\p{M}/gu, '')", "replace(/\\p{M}/gu, '-')"],
  'each character becomes a dash': ['[^a-z0-9]+', '[^a-z0-9]'],
  'digits are lost': ['[^a-z0-9]+', '[^a-z]+'],
  'dashes at the end stay': ["replace(/^-|-$/g, '')", "replace(/^-/g, '')"],
  'dashes at the beginning stay': ["replace(/^-|-$/g, '')", "replace(/-$/g, '')"],
  'one character too many': ['<= 40', '<= 41'],
  'words are cut': ["plain.slice(0, 40).replace(/-[^-]*$/, '')", 'plain.slice(0, 40)'],
  'nothing is thrown': ["if (plain === '') throw new RangeError('no letter or digit in the title');", ''],
  'another error': ['new RangeError', 'new TypeError'],
};

async function passes(code) {
  const folder = mkdtempSync(join(tmpdir(), 'slug-'));
  try {
    cpSync('slug.test.mjs', join(folder, 'slug.test.mjs'));
    writeFileSync(join(folder, 'slug.mjs'), code);
    const env = {...process.env};
    delete env.NODE_TEST_CONTEXT;
    const child = spawn(process.execPath, ['--test-reporter=tap', 'slug.test.mjs'], {cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore']});
    let said = '';
    for await (const part of child.stdout.setEncoding('utf8')) said += part;
    const count = (name) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(said)?.[1] ?? 0);
    return {tests: count('pass'), isGood: count('fail') + count('cancelled') === 0};
  } finally {
    rmSync(folder, {recursive: true});
  }
}

const good = await passes(GOOD);
if (!good.isGood || good.tests < 1) throw new Error('the tests do not pass with the code as it was');
const results = await Promise.all(
  Object.entries(BROKEN).map(async ([name, [from, to]]) => {
    const code = GOOD.replace(from, () => to);
    if (code === GOOD) throw new Error(`nothing replaced for: ${name}`);
    return {name, noticed: !(await passes(code)).isGood};
  }),
);
const missed = results.filter(({noticed}) => !noticed).map(({name}) => name);
if (missed.length > 0) throw new Error(`not noticed: ${missed.join(', ')}`);
if (readFileSync('slug.mjs', 'utf8') !== GOOD) throw new Error('slug.mjs was changed');
console.log('ok');
