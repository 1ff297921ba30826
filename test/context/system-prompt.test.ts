import {describe, expect, it} from 'vitest';
import {systemPrompt} from '../../src/context/system-prompt.ts';

const PLACE = {root: '/p', platform: 'linux', date: '2026-01-01'};

describe('systemPrompt', () => {
  it('with instructions: each with its origin, what is missing, and which wins', () => {
    const always = [
      {path: '/home/a/.config/fettle/AGENTS.md', scope: 'user', text: 'Be brief.\n'},
      {path: 'a\n\u202eb/AGENTS.md', scope: 'project', text: 'Be kind.'},
    ] as const;
    const parts = systemPrompt(PLACE, {always, cuts: ['x.md: left out']});
    expect(parts.map(({kind, path}) => [kind, path])).toEqual([
      ['conduct', undefined],
      ['instructions', '/home/a/.config/fettle/AGENTS.md'],
      ['instructions', 'a\n\u202eb/AGENTS.md'],
      ['instructions', undefined],
      ['instructions', undefined],
      ['place', undefined],
    ]);
    expect(parts.slice(1).map(({text}) => text)).toMatchInlineSnapshot(`
      [
        "Instructions of the user, from /home/a/.config/fettle/AGENTS.md:
      <instructions>
      Be brief.
      </instructions>",
        "Instructions of this project, from a\\n\\u202eb/AGENTS.md:
      <instructions>
      Be kind.
      </instructions>",
        "Missing here for its size: x.md: left out.",
        "Where instructions disagree, later ones win; what the user says in the conversation wins over all of them.",
        "Folder: /p
      System: linux
      Date: 2026-01-01",
      ]
    `);
  });

  it('without: no word about them', () => {
    expect(systemPrompt(PLACE, {always: [], cuts: []}).map(({kind}) => kind)).toEqual(['conduct', 'place']);
    const [, place] = systemPrompt(PLACE, {always: [{path: 'AGENTS.md', scope: 'project', text: 'x'}], cuts: []}).map(({kind}) => kind);
    expect(place).toBe('instructions');
  });
});
