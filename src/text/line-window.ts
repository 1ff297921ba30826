/** Bytes of UTF-8 or a single-byte encoding, or code units of UTF-16: line breaks have the same numbers in all. */
export type TextUnits = Uint8Array | Uint16Array;

export interface LineWindowLimits {
  /** 1-based. */
  readonly firstLine: number;
  readonly maxLines: number;
  /** Most units kept. */
  readonly maxUnits: number;
}

/** Picks consecutive lines out of a stream of units: keeps those, counts all. */
export interface LineWindow {
  add(units: TextUnits): void;
  /** Further input can no longer change the result. */
  isClosed(): boolean;
  /** Call it once, after the last piece. */
  end(): WindowedLines;
}

export interface WindowedLines {
  /** The lines with their endings, in pieces of the stream. */
  readonly pieces: readonly TextUnits[];
  /** Lines of the stream so far. */
  readonly totalLines: number;
  /** The stream continues after the kept part. */
  readonly truncated: boolean;
  /** Units of the wanted lines were left out, for there were more than `maxUnits`. */
  readonly cut: boolean;
}

export function createLineWindow({firstLine, maxLines, maxUnits}: LineWindowLimits): LineWindow {
  const afterLast = firstLine + maxLines;
  const pieces: TextUnits[] = [];
  const state = {line: 1, lineIsOpen: false, pendingCr: false, kept: 0, truncated: false, cut: false};

  const add = (units: TextUnits) => {
    if (units.length === 0) return;
    let from = state.line >= firstLine ? 0 : units.length;
    let to = state.line >= afterLast ? 0 : units.length;
    state.lineIsOpen = true;
    forEachLineEnd(units, state, (end) => {
      state.line++;
      if (state.line === firstLine) from = end;
      if (state.line === afterLast) to = end;
      state.lineIsOpen = end < units.length;
    });
    keep(units.subarray(from, Math.max(from, to)));
    if (state.line >= afterLast && to < units.length) state.truncated = true;
  };
  const keep = (wanted: TextUnits) => {
    const room = Math.min(wanted.length, maxUnits - state.kept);
    if (room > 0) pieces.push(copyOf(wanted.subarray(0, room)));
    state.kept += room;
    if (room < wanted.length) state.truncated = state.cut = true;
  };
  const end = () => {
    const open = state.lineIsOpen || state.pendingCr;
    return {pieces, totalLines: open ? state.line : state.line - 1, truncated: state.truncated, cut: state.cut};
  };
  return {add, isClosed: () => state.cut || state.line >= afterLast, end};
}

/** `Buffer.slice` would share the memory, which the reader fills again. */
function copyOf(units: TextUnits): TextUnits {
  return units instanceof Uint16Array ? new Uint16Array(units) : new Uint8Array(units);
}

const LF = 10;
const CR = 13;

/** Calls `visit` with the index after each line break; a CR as the last unit waits for the next text. */
function forEachLineEnd(units: TextUnits, state: {pendingCr: boolean}, visit: (end: number) => void): void {
  let at = 0;
  if (state.pendingCr) {
    state.pendingCr = false;
    at = units[0] === LF ? 1 : 0;
    visit(at);
  }
  for (; at < units.length; at++) {
    const unit = units[at] ?? 0;
    if (unit > CR || (unit !== LF && unit !== CR)) continue;
    if (unit === CR && at === units.length - 1) {
      state.pendingCr = true;
      return;
    }
    if (unit === CR && units[at + 1] === LF) at++;
    visit(at + 1);
  }
}
