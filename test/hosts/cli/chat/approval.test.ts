import {describe, expect, it} from 'vitest';
import type {Decision} from '../../../../src/policy/decision.ts';
import {askApproval} from '../../../../src/hosts/cli/chat/approval.ts';
import type {Io} from '../../../../src/hosts/cli/io.ts';
import type {LineEditor} from '../../../../src/hosts/cli/chat/line-editor.ts';
import type {ApprovalAnswer} from '../../../../src/tools/dispatch/dispatch.ts';

interface Asked {
  readonly answer: ApprovalAnswer;
  readonly shown: readonly string[];
  readonly granted: readonly string[];
  readonly stored: readonly string[];
}

async function ask(typed: string, offers: readonly string[]): Promise<Asked> {
  const [shown, granted, stored]: [string[], string[], string[]] = [[], [], []];
  const io = {note: (line: string) => void shown.push(line), paint: (_: string, text: string) => text} as unknown as Io;
  const lines = {
    clearTyped: () => Promise.resolve(),
    question: (text: string) => {
      shown.push(text);
      return Promise.resolve(typed);
    },
  } as unknown as LineEditor;
  const decision: Decision = {
    verdict: 'ask',
    reason: 'no rule allows it',
    decidedBy: 'default',
    rule: undefined,
    parts: [],
    wouldAllow: offers.length === 0 ? undefined : offers.join(', '),
    offers,
  };
  const command = {kind: 'command', command: 'npm test && git log', cwd: '/repo'} as const;
  const request = {callId: '1', toolName: 'bash', input: {}, subjects: [command], decision} as unknown as Parameters<
    typeof askApproval
  >[0]['request'];
  const answer = await askApproval(
    {io, lines, request, grant: (rule) => void granted.push(rule), remember: (rule) => Promise.resolve(void stored.push(rule))},
    new AbortController().signal,
  );
  return {answer, shown, granted, stored};
}

const OFFERS = ['bash:npm test', 'bash:git log *'];

describe('askApproval (vibe tool system › Tool Permission Flow: once, session, always, deny)', () => {
  it('shows the call, the reason, each rule that is offered and what it would allow, too', async () => {
    expect((await ask('y', OFFERS)).shown).toMatchInlineSnapshot(`
      [
        "
      May bash do this? no rule allows it",
        "  npm test && git log",
        "  rule bash:npm test: exactly this",
        "  rule bash:git log *: any \`git log\` command, except with options that run or write something else",
        "[y]es, [s]ession: the rule until the end, [a]lways: the rule in this project, [n]o, or say what to do instead: ",
      ]
    `);
  });

  it.each([
    ['y', {decision: 'allow'}, [], []],
    ['s', {decision: 'allow'}, OFFERS, []],
    ['session', {decision: 'allow'}, OFFERS, []],
    ['a', {decision: 'allow'}, OFFERS, OFFERS],
    ['always', {decision: 'allow'}, OFFERS, OFFERS],
    ['', {decision: 'deny', feedback: undefined}, [], []],
    ['use make', {decision: 'deny', feedback: 'use make'}, [], []],
  ])('"%s"', async (typed, answer, granted, stored) => {
    const {shown: _, ...rest} = await ask(typed, OFFERS);
    expect(rest).toEqual({answer, granted, stored});
  });

  it('offers nothing lasting where no rule should allow the call', async () => {
    const {shown, answer, granted} = await ask('a', []);
    expect([shown.at(-1), answer, granted]).toEqual(['[y]es, [n]o, or say what to do instead: ', {decision: 'deny', feedback: 'a'}, []]);
  });
});
