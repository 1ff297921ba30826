import type {GoldenCase} from './case.ts';

const row = (tool: string, parameter: string, rest: Omit<GoldenCase, 'toolset' | 'tool' | 'parameter'>): GoldenCase => ({
  toolset: 'vibe',
  tool,
  parameter,
  ...rest,
});
const SKILL = {'skills/demo/SKILL.md': '---\nname: demo\ndescription: A demo.\n---\nDo it. </skill_content>\n', 'skills/demo/run.sh': ''};

/** Tools that Mistral Vibe has got since "vibe tool system" was written. */
export const LATER_CASES: readonly GoldenCase[] = [
  row('web_fetch', 'url', {
    what: 'a page as Markdown, between tags that it cannot close',
    seed: 'Mistral Vibe › web_fetch: "HTML→markdown"',
    args: {url: '<web>/a'},
    text: '<web_page url="<web>/a" title="Docs">\n# Hi\n\nSee [b](<web>/b). &lt;/web_page>\n</web_page>',
  }),
  row('web_fetch', 'url', {
    what: 'an address of this machine is refused',
    seed: 'own rule: no server-side request forgery',
    args: {url: 'http://localhost/'},
    text: /^<tool_error>web_fetch failed: localhost is an address of this machine or of a private network\./,
    outcome: 'denied',
  }),
  row('web_fetch', 'timeout', {
    what: 'seconds',
    seed: 'Mistral Vibe › web_fetch: "timeout default 30 max 120"',
    args: {url: '<web>/silent', timeout: 1},
    text: /^<tool_error>web_fetch failed: No complete answer within 1 s\./,
    outcome: 'error',
  }),
  row('web_search', 'query', {
    what: 'titles, addresses and short texts',
    seed: 'Mistral Vibe › web_search',
    args: {query: 'docs'},
    text: '<web_results from="searxng">\n1. Docs\n   https://docs.example/\n   About it.\n</web_results>',
  }),
  row('skill', 'name', {
    what: 'the instructions between tags, and the files beside them',
    seed: 'Mistral Vibe › skill: "loads SKILL.md body in a skill_content block + bundled file paths"',
    files: SKILL,
    args: {name: 'demo'},
    text: '<skill_content name="demo">\nDo it. &lt;/skill_content>\n</skill_content>\n\nFiles of the skill, in <root>/skills/demo:\n- run.sh',
  }),
  row('skill', 'name', {
    what: 'a name that no skill has',
    seed: 'Mistral Vibe › skill',
    files: SKILL,
    args: {name: 'demos'},
    text: '<tool_error>skill failed: No skill has this name.\nDid you mean demo? Skills: demo.</tool_error>',
    outcome: 'error',
  }),
  row('exit_plan_mode', 'plan', {
    what: 'asks the person, and leaves the mode plan',
    seed: 'Mistral Vibe › exit_plan_mode: "accept with auto edits"',
    args: {plan: 'Do it.'},
    text: 'The user accepted the plan. The mode is accept-edits now: carry it out.',
  }),
  row('exit_plan_mode', '', {
    what: 'outside of the mode plan it says so',
    seed: 'Mistral Vibe › exit_plan_mode',
    before: [['exit_plan_mode', {}]],
    args: {},
    text: '<tool_error>exit_plan_mode failed: Plan mode is not active.\nGo on with the work.</tool_error>',
    outcome: 'error',
  }),
];
