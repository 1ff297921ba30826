import {describe, expect, it} from 'vitest';
import {inputSchema} from '../../src/tools/arguments/schema.ts';
import {TOOLSET_NAMES, loadToolsetByName} from '../../src/tools/toolsets/load-toolset.ts';
import {BLADE_CASES} from './blade.cases.ts';
import {CASES as MICROCODE_CASES} from './microcode.cases.ts';
import {CASES as VIBE_CASES} from './vibe.cases.ts';
import {CASES as VTCODE_CASES} from './vtcode.cases.ts';

interface Row {
  readonly tool: string;
  /** '' or '-': the tool as a whole. */
  readonly parameter: string;
  readonly what: string;
  readonly seed: string;
}

/** What each toolset of a seed promises; `fettle` follows no seed. */
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  blade: BLADE_CASES,
  microcode: MICROCODE_CASES,
  vibe: VIBE_CASES,
  vtcode: VTCODE_CASES,
};

it('every toolset but the own ones has rows', () => {
  expect(Object.keys(ROWS).sort()).toEqual(TOOLSET_NAMES.filter((name) => name !== 'fettle' && name !== 'small').toSorted());
});

describe.each(Object.entries(ROWS))('%s', (name, rows) => {
  it('every published tool and each of its parameters has a row', async () => {
    const covered = new Set(rows.map(({tool, parameter}) => `${tool}.${parameter}`));
    const ofTool = new Set(rows.map(({tool}) => tool));
    const missing = (await published(name)).flatMap(({tool, parameters}) => [
      ...(ofTool.has(tool) ? [] : [tool]),
      ...parameters.map((parameter) => `${tool}.${parameter}`).filter((key) => !covered.has(key)),
    ]);
    expect(missing).toEqual([]);
  });

  it('every row is about something that is published, and cites where it stands', async () => {
    const known = new Map((await published(name)).map(({tool, schema}) => [tool, schema]));
    const wrong = rows.filter(({tool, parameter, seed, what}) => {
      const isKnown = parameter === '' || parameter === '-' || known.get(tool)?.includes(`"${parameter}":`) === true;
      return !isKnown || seed === '' || what === '';
    });
    expect(wrong.map(({tool, parameter}) => `${tool}.${parameter}`)).toEqual([]);
  });
});

async function published(name: string): Promise<{tool: string; parameters: readonly string[]; schema: string}[]> {
  const {tools} = await loadToolsetByName(name);
  return tools.map((tool) => {
    const schema = inputSchema(tool);
    return {tool: tool.name, parameters: Object.keys(schema.properties ?? {}), schema: JSON.stringify(schema)};
  });
}
