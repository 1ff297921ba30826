import type {Output} from './output.ts';

export interface ProgressBar {
  show(done: number, total: number): void;
  clear(): void;
}

/** Progress of a long task: one line of a terminal, nothing without a terminal. Short tasks show no bar. */
export function progressBar(output: Pick<Output, 'status'>, unit: string): ProgressBar {
  const began = performance.now();
  let drawn = '';
  return {
    show(done, total) {
      if (total === 0 || performance.now() - began < QUICK_MS) return;
      const filled = Math.floor((done / total) * WIDTH);
      const line = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${done} of ${total} ${unit}`;
      if (line !== drawn) output.status(line);
      drawn = line;
    },
    clear() {
      if (drawn !== '') output.status('');
      drawn = '';
    },
  };
}

const WIDTH = 24;
/** Milliseconds below which no bar is shown. */
const QUICK_MS = 300;
