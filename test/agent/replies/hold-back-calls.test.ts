import {describe, expect, it} from 'vitest';
import {holdCallText} from '../../../src/agent/replies/hold-back-calls.ts';
import {EXPLAINED_CALLS} from './explained-calls.table.ts';
import {WRITTEN_CALLS} from './written-calls.table.ts';

const TOOLS = [{name: 'read', description: '', parameters: {}}];

/** What is shown while a text arrives character by character, and what is held at its end. */
function shown(text: string, model: string, tools = TOOLS): {shown: string; held: string} {
  const held = holdCallText(model, tools);
  return {
    shown: Array.from(text)
      .map((char) => held.push(char))
      .join(''),
    held: held.rest(),
  };
}

describe('text that may be a call is not shown before it is known (issue › endings)', () => {
  it.each(WRITTEN_CALLS)('%s', (_form, model, text) => {
    expect(shown(text, model)).toEqual({shown: '', held: text});
  });

  it.each(WRITTEN_CALLS)('%s: shown at once where the model is not known for it, or has no tools', (_form, model, text) => {
    expect([shown(text, 'test/model-1'), shown(text, model, [])]).toEqual([
      {shown: text, held: ''},
      {shown: text, held: ''},
    ]);
  });

  it.each(EXPLAINED_CALLS)('%s: nothing of it is lost', (_name, model, text) => {
    const {shown: first, held} = shown(text, model);
    expect(first + held).toBe(text);
  });

  it('an answer in words is shown as it arrives', () => {
    expect(shown('The file has one line.', 'x/qwen3')).toEqual({shown: 'The file has one line.', held: ''});
  });

  it('a long text that only begins like one is shown when that is known', () => {
    const text = `[${'a'.repeat(300)}`;
    expect(shown(text, 'x/llama-3')).toEqual({shown: text, held: ''});
  });
});
