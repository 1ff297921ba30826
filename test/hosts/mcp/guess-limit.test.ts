import {describe, expect, it} from 'vitest';
import {createGuessLimit} from '../../../src/hosts/mcp/guess-limit.ts';

describe('guessing a token', () => {
  it('is slow after some wrong ones; what is too much is dropped, and what waits is ended with the server', () => {
    const guesses = createGuessLimit({free: 2, delayMs: 60_000, mostWaiting: 3});
    const seen = {answered: 0, dropped: 0};
    for (let at = 0; at < 10; at += 1) {
      guesses.refuse({answer: () => void (seen.answered += 1), drop: () => void (seen.dropped += 1)});
    }
    expect(seen).toEqual({answered: 2, dropped: 5});
    guesses.end();
    expect(seen).toEqual({answered: 2, dropped: 5});
  });

  it('a refusal that is late comes', async () => {
    const guesses = createGuessLimit({free: 0, delayMs: 1, mostWaiting: 1});
    await new Promise<void>((answer) => guesses.refuse({answer, drop: () => undefined}));
  });
});
