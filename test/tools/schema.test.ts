import {encode} from 'gpt-tokenizer/encoding/o200k_base';
import {describe, expect, it} from 'vitest';
import {toFettleError} from '../../src/base/errors.ts';
import {toolSchemas} from '../../src/tools/schema.ts';
import {toolsetNamed} from '../../src/tools/toolsets/toolset-named.ts';

describe('what a model is told about the tools', () => {
  it('fettle: the default toolset in at most 1,300 tokens', async () => {
    const schemas = toolSchemas(await toolsetNamed('fettle'));
    expect(encode(JSON.stringify(schemas)).length).toMatchInlineSnapshot(`530`);
    expect(encode(JSON.stringify(schemas)).length).toBeLessThanOrEqual(1300);
    expect(schemas).toMatchSnapshot();
  });
  it('microcode: the seven tools, with the parameters of "microcode tools"', async () => {
    const schemas = toolSchemas(await toolsetNamed('microcode'));
    expect(encode(JSON.stringify(schemas)).length).toMatchInlineSnapshot(`540`);
    expect(schemas).toMatchSnapshot();
  });
  it('the same bytes every time', async () => {
    const [first, second] = [await toolsetNamed('fettle'), await toolsetNamed('fettle')].map((toolset) =>
      JSON.stringify(toolSchemas(toolset)),
    );
    expect(first).toBe(second);
  });
  it('microcode tools: side effects of the seven', async () => {
    const {tools} = await toolsetNamed('microcode');
    expect(tools.map(({name, sideEffect}) => `${name} ${sideEffect}`)).toEqual([
      'read read',
      'ls read',
      'glob read',
      'grep read',
      'write write',
      'edit write',
      'bash execute',
    ]);
  });
  it('an unknown toolset gets the nearest', async () => {
    const error = await toolsetNamed('fetle').catch(toFettleError);
    expect(error).toMatchObject({
      code: 'CONFIG',
      message: 'There is no toolset "fetle".',
      hint: 'Did you mean fettle? Toolsets: fettle, microcode.',
    });
    expect(await toolsetNamed('constructor').catch(toFettleError)).toMatchObject({code: 'CONFIG', hint: 'Toolsets: fettle, microcode.'});
  });
});
