import {onTestFinished} from 'vitest';
import type {RolloutEngine} from '../../../src/lab/engine/engine.ts';
import {openLocalEngine} from '../../../src/lab/engine/local/local-engine.ts';
import {scratch} from '../../support/scratch.ts';

/** A place of rollouts that several engines can open. */
export interface Engines {
  open(options?: {readonly payloadVersion?: number}): Promise<RolloutEngine>;
  /** True: several engines work on the same run. */
  readonly areShared: boolean;
}

export interface EngineKind {
  readonly name: string;
  readonly skipped: boolean;
  start(): Promise<Engines>;
}

const RETRY_DELAYS_MS = [5, 10, 15];

export function openEngines(): readonly EngineKind[] {
  return [{name: 'local', skipped: false, start: startLocal}];
}

async function startLocal(): Promise<Engines> {
  const folder = await scratch();
  return {
    areShared: false,
    async open(options = {}) {
      return closedAfterTest(openLocalEngine({folder, retryDelaysMs: RETRY_DELAYS_MS, ...options}));
    },
  };
}

/** Closed when the test ends, whatever happened. */
function closedAfterTest(engine: RolloutEngine): RolloutEngine {
  let isOpen = true;
  const close = async (): Promise<void> => {
    if (isOpen) await engine.close();
    isOpen = false;
  };
  onTestFinished(close);
  return Object.assign(Object.create(engine), {close});
}
