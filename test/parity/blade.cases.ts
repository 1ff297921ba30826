import type {BladeCase} from './blade-case.ts';
import {COMPOSITE_CASES} from './blade-composite.cases.ts';
import {FILE_CASES} from './blade-files.cases.ts';
import {OTHER_CASES} from './blade-other.cases.ts';
import {SEARCH_CASES} from './blade-search.cases.ts';

/** What "zblade tool calls" promises, row by row: every tool, parameter, alias, default and cap. */
export const BLADE_CASES: readonly BladeCase[] = [...FILE_CASES, ...SEARCH_CASES, ...OTHER_CASES, ...COMPOSITE_CASES];
