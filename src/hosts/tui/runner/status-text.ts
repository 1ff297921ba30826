import type {SessionInfo} from '../host-adapter.ts';

/** At most as often the text is asked for. Milliseconds. */
const EVERY = 2000;

export interface StatusTextOptions {
  /** Must not reject; undefined: there is nothing to show. */
  readonly read: (info: SessionInfo, signal: AbortSignal) => Promise<string | undefined>;
  readonly show: (text: string | undefined) => void;
  /** Milliseconds. */
  readonly now: () => number;
}

/** Keeps the person's own text in the status line up to date: one reading at a time, and the newest state is read at last. */
export interface StatusText {
  ask(info: SessionInfo): void;
  close(): void;
}

export function createStatusText({read, show, now}: StatusTextOptions): StatusText {
  const stopped = new AbortController();
  let wanted: SessionInfo | undefined;
  let begunAt = Number.NEGATIVE_INFINITY;
  let isReading = false;
  let timer: NodeJS.Timeout | undefined;
  const readOnce = async (info: SessionInfo): Promise<void> => {
    [wanted, begunAt, isReading] = [undefined, now(), true];
    const text = await read(info, stopped.signal);
    isReading = false;
    if (stopped.signal.aborted) return;
    show(text);
    goOn();
  };
  const goOn = (): void => {
    if (wanted === undefined || isReading || timer !== undefined) return;
    const wait = begunAt + EVERY - now();
    if (wait <= 0) return void readOnce(wanted);
    timer = setTimeout(() => {
      timer = undefined;
      goOn();
    }, wait);
  };
  return {
    ask(info) {
      if (stopped.signal.aborted) return;
      wanted = info;
      goOn();
    },
    close() {
      stopped.abort();
      clearTimeout(timer);
    },
  };
}
