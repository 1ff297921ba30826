import type {Emitter} from 'highlight.js';
import type {Line, Span, StyleName} from '../../cells/line.ts';
import {styleOfScope} from './scope-styles.ts';

/** Receives the text and scopes from highlight.js; no HTML is made, and nothing in the code can pass for a style. */
export class ScopeEmitter implements Emitter {
  readonly #parts: {readonly text: string; readonly style: readonly StyleName[] | undefined}[] = [];
  readonly #scopes: string[] = [];
  length = 0;
  /** Scopes that are still open at the end of the code. */
  openScopes = '';

  addText(text: string): void {
    if (text === '') return;
    const scope = this.#scopes.at(-1);
    this.#parts.push({text, style: scope === undefined ? undefined : styleOfScope(scope)});
    this.length += text.length;
  }

  startScope(name: string): void {
    this.#scopes.push(name);
  }

  endScope(): void {
    this.#scopes.pop();
  }

  openNode(name: string): void {
    this.startScope(name);
  }

  closeNode(): void {
    this.endScope();
  }

  __addSublanguage(emitter: Emitter): void {
    if (!(emitter instanceof ScopeEmitter)) return;
    this.#parts.push(...emitter.#parts);
    this.length += emitter.length;
  }

  finalize(): void {
    this.openScopes = this.#scopes.join(' ');
  }

  toHTML(): string {
    return '';
  }

  /** A part of the text, by offsets. */
  spans(from: number, to: number): Line {
    const spans: Span[] = [];
    let at = 0;
    for (const {text, style} of this.#parts) {
      const shown = text.slice(Math.max(0, from - at), Math.max(0, to - at));
      at += text.length;
      const last = spans.at(-1);
      if (shown === '') continue;
      if (last !== undefined && last.style === style) spans[spans.length - 1] = spanOf(last.text + shown, style);
      else spans.push(spanOf(shown, style));
    }
    return spans;
  }
}

function spanOf(text: string, style: readonly StyleName[] | undefined): Span {
  return style === undefined ? {text} : {text, style};
}
