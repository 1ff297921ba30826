import {isJsonObject} from '../base/json.ts';

/** Replaces known secret values in what leaves a tool. */
export interface Redactor {
  text(text: string): string;
  /** Every string in a structured value. */
  value(value: unknown): unknown;
  /** For a text that comes in pieces: holds back the end of a piece while a secret may go on in the next one. */
  stream(): {push(piece: string): string; end(): string};
}

/** Shorter values stand in ordinary text by chance. */
const MIN_SECRET_CHARS = 6;

export const REDACTED = '[redacted]';

export function createRedactor(secrets: readonly string[]): Redactor {
  // Longest first: one secret may contain another.
  const values = [...new Set(secrets)].filter((secret) => secret.length >= MIN_SECRET_CHARS).sort((a, b) => b.length - a.length);
  const text = (given: string): string => values.reduce((clean, secret) => clean.replaceAll(secret, () => REDACTED), given);
  return {
    text,
    value: (value) => (values.length === 0 ? value : mapStrings(value, text)),
    stream() {
      let held = '';
      return {
        push(piece) {
          const whole = held + piece;
          const end = settledLength(whole, values);
          held = whole.slice(end);
          return text(whole.slice(0, end));
        },
        end() {
          const rest = text(held);
          held = '';
          return rest;
        },
      };
    },
  };
}

/** How much of a text no later text can make a part of a secret: up to where one may begin, and never through the middle of one. */
function settledLength(text: string, secrets: readonly string[]): number {
  let end = text.length - Math.max(0, ...secrets.map((secret) => overlap(text, secret)));
  for (;;) {
    const through = secrets.map((secret) => startOfThrough(text, secret, end)).find((start) => start !== undefined);
    if (through === undefined) return end;
    end = through;
  }
}

/** How many of the last characters of a text are the beginning of a secret. */
function overlap(text: string, secret: string): number {
  for (let length = Math.min(text.length, secret.length - 1); length > 0; length -= 1) {
    if (text.endsWith(secret.slice(0, length))) return length;
  }
  return 0;
}

/** Where a secret begins that stands on both sides of a place; undefined where none does. */
function startOfThrough(text: string, secret: string, place: number): number | undefined {
  const start = text.lastIndexOf(secret, place - 1);
  return start >= 0 && start < place && start + secret.length > place ? start : undefined;
}

function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapStrings(item, change)]));
}
