import fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {hidesDialog} from '../../src/hosts/tui/keys/dialog-keys.ts';
import {testScreen, useTestClock, type TestScreen} from '../screen/test-screen.ts';
import {SIZE, STEP, type Step} from './random-actions.ts';

const SEED = Number(process.env['FETTLE_SEED']);
const RUNS = Number(process.env['FETTLE_SOAK_RUNS'] ?? 1000);

const TRAITS = fc.record({
  synchronized: fc.boolean(),
  surface: fc.constantFrom('inline' as const, 'inline' as const, 'alternate' as const),
});

describe('any sequence of keys, pastes, resizes and events', () => {
  it(`draws every frame as it should be, and Esc leaves every modal (${RUNS} sequences, seed ${SEED})`, {timeout: 600_000}, async () => {
    console.log(`FETTLE_SEED=${SEED} FETTLE_SOAK_RUNS=${RUNS}`);
    await useTestClock();
    let frames = 0;
    fc.assert(
      fc.property(SIZE, TRAITS, fc.array(STEP, {minLength: 20, maxLength: 60, size: 'max'}), (size, traits, steps) => {
        const screen = testScreen({...size, ...traits, prompts: ['first', 'second\nwith two rows']});
        for (const step of steps) {
          take(screen, step);
          if (screen.problems.length > 0) break;
        }
        expect(screen.problems).toEqual([]);
        leaveAll(screen);
        screen.close();
        frames += screen.terminal.frames.length;
        expect(screen.problems).toEqual([]);
      }),
      {seed: SEED, numRuns: RUNS},
    );
    console.log(`${frames} frames`);
  });
});

function take(screen: TestScreen, step: Step): void {
  if (step.type === 'action') screen.dispatch(step.action);
  else if (step.type === 'together') screen.dispatch(...step.actions);
  else if (step.type === 'wait') screen.wait(step.milliseconds);
  else screen.resize(step.size);
}

/**
 * Each modal takes one Esc, and one more where text is written in it. A program that is typed into gets Esc, too, and from the answers to a
 * plan it leads back to the comments: the last of them leaves the plan.
 */
function leaveAll(screen: TestScreen): void {
  const isOpen = ({dialogs, overlay, queueAt, suggestions}: ReturnType<TestScreen['state']>): boolean =>
    dialogs.length > 0 || overlay !== undefined || queueAt !== undefined || suggestions !== undefined;
  for (let presses = 0; isOpen(screen.state()); presses += 1) {
    if (presses > 200) expect.fail('a modal cannot be left with Esc');
    screen.wait(500);
    screen.press(...leavingKeys(screen.state()));
  }
}

function leavingKeys({overlay, dialogs: [dialog]}: ReturnType<TestScreen['state']>): readonly string[] {
  if (overlay?.type === 'command' && overlay.mode === 'typing') return ['ctrl+]'];
  if (hidesDialog(overlay) || dialog?.type !== 'plan' || dialog.answering === undefined) return ['escape'];
  return [...dialog.question.choices.map(() => 'down'), 'down', 'enter'];
}
