// Run as a process of its own: parses the samples of all languages so often that hot code is optimised, and says how much memory that took.
import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {optimiseEngine} from '../../../src/code/extract/engine.ts';
import {openParser} from '../../../src/code/extract/parser.ts';
import {languageNamed, languageOf} from '../../../src/code/languages/all.ts';

const SAMPLES = join(import.meta.dirname, '../samples');
const TIMES = 12;

optimiseEngine();
for (const file of readdirSync(SAMPLES)) {
  const parser = await openParser(languageNamed(languageOf(file) ?? '').grammar);
  const text = readFileSync(join(SAMPLES, file), 'utf8');
  for (let time = 0; time < TIMES; time++) parser.parse(text);
}
