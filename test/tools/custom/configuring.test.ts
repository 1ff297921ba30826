import {describe, expect, it} from 'vitest';
import {useTools} from './run-tools.ts';

const TOOL = `import {defineCustomTool, z} from 'fettle/tools';
export const t = defineCustomTool({
  description: 'd', args: z.object({}), result: z.string(), sideEffect: 'pure',
  config: z.object({limit: z.number().default(5), words: z.array(z.string()).default(['a', 'b']), deep: z.object({x: z.number().default(1)}).default({x: 1})}),
  state: z.object({n: z.number().default(0)}),
  async run(_, {config, state}) { state.n += 1; return JSON.stringify({...config, n: state.n}); },
});`;

const use = (config: string, toolOptions = {}, calls: [string, object][] = [['counted', {}]]) =>
  useTools({'home/config.toml': config, 'home/tools/counted.ts': TOOL}, {calls, toolOptions});

describe('configuration of a tool (vibe tool system › Tool Configuration Resolution)', () => {
  it('defaults ⊕ [tools.<name>] ⊕ the session, field by field: what was not written stays (reference trap 1)', async () => {
    const table = '[tools.counted]\npermission = "always"\nlimit = 7\n';
    const [plain, written, session] = await Promise.all([use(''), use(table), use(table, {counted: {words: ['c']}})]);
    expect([plain, written, session].map(({results}) => results[0]?.text)).toEqual([
      '{"limit":5,"words":["a","b"],"deep":{"x":1},"n":1}',
      '{"limit":7,"words":["a","b"],"deep":{"x":1},"n":1}',
      '{"limit":7,"words":["c"],"deep":{"x":1},"n":1}',
    ]);
    expect([plain, written, session].flatMap(({notices}) => notices)).toEqual([]);
  });

  it('state survives calls, until it is reset', async () => {
    const call: [string, object] = ['counted', {}];
    const {results} = await use('', {}, [call, call, ['reset', {}], call]);
    expect(results.map(({text}) => (JSON.parse(text) as {n: number}).n)).toEqual([1, 2, 1]);
  });

  it.each([
    ['a wrong value', 'limit = "many"', 'tools.counted.limit: Invalid input: expected number, received string'],
    ['an unknown key', 'limti = 3', 'tools.counted.limti: unknown key (Did you mean limit?)'],
  ])('%s leaves the tool out and says why', async (_, line, problem) => {
    const {notices, names} = await use(`[tools.counted]\n${line}\n`, {}, []);
    expect([notices, names.includes('counted')]).toEqual([[`<root>/home/tools/counted.ts: not loaded: ${problem}`], false]);
  });

  it('options that nothing reads are said: of a built-in tool, of a tool that is not there', async () => {
    const {notices} = await use('[tools.grep]\nlimit = 3\n[tools.conted]\nlimit = 3\n', {}, []);
    expect(notices).toEqual([
      'tools.grep.limit: unknown key: grep has no options of its own',
      'tools.conted: there is no such tool; did you mean counted?',
    ]);
  });

  it('switched off like any other tool', async () => {
    const {results, names} = await use('disabled_tools = ["re:count.*", "bash"]');
    expect([results.map(({text}) => text.split('\n', 1)), names.includes('counted'), names.includes('bash')]).toEqual([
      [['Error: counted is switched off: disabled_tools has "re:count.*".']],
      false,
      false,
    ]);
  });
});
