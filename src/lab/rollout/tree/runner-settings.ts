import {basename} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {parse, stringify} from 'smol-toml';
import {isJsonObject, parseJson, type Json, type JsonObject} from '../../../base/json.ts';

/**
 * True for a file that is ordinary work, but also has settings of test runners: with `addopts = "--collect-only"` in `pyproject.toml`, no test is run.
 * @param path - relative to the tree
 */
export function hasRunnerSettings(path: string): boolean {
  return FORMATS.has(basename(path));
}

/**
 * Returns such a file with the settings of test runners that it had before the agent, and all else as the agent has left it. Undefined if they are the same,
 * or if the file cannot be read, which no runner does either.
 * @param before - undefined: there was no file
 */
export function withEarlierSettings(path: string, {before, now}: {before: string | undefined; now: string}): string | undefined {
  const format = FORMATS.get(basename(path));
  try {
    return format?.(now, before);
  } catch {
    return undefined;
  }
}

type Format = (now: string, before: string | undefined) => string | undefined;

const FORMATS: ReadonlyMap<string, Format> = new Map([
  ['pyproject.toml', (now, before) => inDocument({now, before}, {parse: parseToml, write: stringify, part: pytestOf, replace: withPytest})],
  ['setup.cfg', inSections],
  ['Cargo.toml', (now, before) => inDocument({now, before}, {parse: parseToml, write: stringify, part: cargoSettings, replace: withCargo})],
  [
    'package.json',
    (now, before) => inDocument({now, before}, {parse: parseObject, write: json, part: packageSettings, replace: withPackageSettings}),
  ],
] satisfies [string, Format][]);

interface DocumentFormat {
  readonly parse: (text: string) => JsonObject;
  readonly write: (document: JsonObject) => string;
  /** Settings of test runners in a document, with those of the earlier one put back. */
  readonly part: (document: JsonObject, earlier: JsonObject) => Json | undefined;
  readonly replace: (document: JsonObject, earlier: JsonObject) => JsonObject;
}

function inDocument({now, before}: {now: string; before: string | undefined}, format: DocumentFormat): string | undefined {
  const document = format.parse(now);
  const earlier = before === undefined ? {} : format.parse(before);
  if (isDeepStrictEqual(format.part(document, earlier), format.part(earlier, earlier))) return undefined;
  return format.write(format.replace(document, earlier));
}

function parseToml(text: string): JsonObject {
  // Dates and large integers are not JSON, and go through unchanged: a file with one is read by Python, too.
  return parse(text, {integersAsBigInt: 'asNeeded'}) as unknown as JsonObject;
}

/** The tables of pytest (pytest › Configuration file formats). */
function pytestOf({tool}: JsonObject): Json | undefined {
  return isJsonObject(tool) ? tool['pytest'] : undefined;
}

function withPytest(document: JsonObject, earlier: JsonObject): JsonObject {
  const tools = isJsonObject(document['tool']) ? document['tool'] : {};
  const old = pytestOf(earlier);
  return {...document, tool: {...without(tools, ['pytest']), ...(old === undefined ? {} : {pytest: old})}};
}

/** Settings of Cargo by which tests are not run (The Cargo Book › Cargo Targets). */
const CARGO = {package: ['autotests'], lib: ['test', 'doctest', 'harness']} as const;

function cargoSettings(document: JsonObject): Json {
  const tables = Object.entries(CARGO).map(([name, keys]) => [name, picked(tableOf(document, name), keys)]);
  return {...Object.fromEntries(tables), ...picked(document, ['test'])};
}

function withCargo(document: JsonObject, earlier: JsonObject): JsonObject {
  const tables = Object.entries(CARGO).flatMap(([name, keys]) => {
    const table = {...without(tableOf(document, name), keys), ...picked(tableOf(earlier, name), keys)};
    return Object.keys(table).length === 0 ? [] : [[name, table]];
  });
  return {...without(document, ['test']), ...Object.fromEntries(tables), ...picked(earlier, ['test'])};
}

function tableOf(document: JsonObject, name: string): JsonObject {
  const table = document[name];
  return isJsonObject(table) ? table : {};
}

/** Node takes a byte order mark in front. */
function parseObject(text: string): JsonObject {
  const value = parseJson(text.replace(/^\uFEFF/, ''));
  return isJsonObject(value) ? value : {};
}

function json(document: JsonObject): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** Settings of test runners in `package.json`, and the scripts of its tests. */
const RUNNERS = ['jest', 'mocha', 'ava', 'tap', 'nyc', 'c8', 'babel', 'vitest'];
const SCRIPTS = ['pretest', 'test', 'posttest'];

function packageSettings(document: JsonObject, earlier: JsonObject): Json {
  return {runners: picked(document, RUNNERS), scripts: picked(scriptsOf(document), testScripts(earlier))};
}

function withPackageSettings(document: JsonObject, earlier: JsonObject): JsonObject {
  const names = testScripts(earlier);
  const scripts = {...without(scriptsOf(document), names), ...picked(scriptsOf(earlier), names)};
  const others = without(document, [...RUNNERS, 'scripts']);
  return {...others, ...picked(earlier, RUNNERS), ...(Object.keys(scripts).length === 0 ? {} : {scripts})};
}

/** A script that is new may be what the task asks for; where there was one, those that run before and after it are settings, too. */
function testScripts(earlier: JsonObject): readonly string[] {
  return scriptsOf(earlier)['test'] === undefined ? [] : SCRIPTS;
}

function scriptsOf(document: JsonObject): JsonObject {
  return tableOf(document, 'scripts');
}

function picked(document: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (document[name] === undefined ? [] : [[name, document[name]]])));
}

function without(document: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !names.includes(name)));
}

/** The section `[tool:pytest]` of an INI file, as text. */
function inSections(now: string, before: string | undefined): string | undefined {
  const [mine, old] = [pytestSections(now), pytestSections(before ?? '')];
  if (mine.inside === old.inside) return undefined;
  return `${mine.outside}${mine.outside === '' || mine.outside.endsWith('\n') ? '' : '\n'}${old.inside}`;
}

function pytestSections(text: string): {inside: string; outside: string} {
  const sections = text.split(/^(?=\[)/m);
  const isPytest = (section: string): boolean => /^\[(?:tool:)?pytest\]/.test(section);
  return {inside: sections.filter(isPytest).join(''), outside: sections.filter((section) => !isPytest(section)).join('')};
}
