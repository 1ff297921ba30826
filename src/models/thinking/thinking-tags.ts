/** Marks around reasoning that models write into their text, for servers that do not separate the two. */
export interface ThinkingTag {
  /** In lower case. */
  readonly open: string;
  readonly close: string;
}

/** DeepSeek R1, Qwen 3, GLM, MiniMax · prompts for Claude and others · Gemma · Magistral · Kimi · Seed-OSS · Command A. */
export const THINKING_TAGS: readonly ThinkingTag[] = [
  {open: '<think>', close: '</think>'},
  {open: '<thinking>', close: '</thinking>'},
  {open: '<thought>', close: '</thought>'},
  {open: '<reasoning>', close: '</reasoning>'},
  {open: '[think]', close: '[/think]'},
  {open: '◁think▷', close: '◁/think▷'},
  {open: '<seed:think>', close: '</seed:think>'},
  {open: '<|start_thinking|>', close: '<|end_thinking|>'},
];

/** Returns the tag that a text begins with; 'perhaps' if the text is too short to decide. */
export function openingOf(text: string): ThinkingTag | 'perhaps' | undefined {
  const beginning = text.slice(0, LONGEST).toLowerCase();
  const found = THINKING_TAGS.find(({open}) => beginning.startsWith(open));
  return found ?? (THINKING_TAGS.some(({open}) => open.startsWith(beginning)) ? 'perhaps' : undefined);
}

/** A closing tag at the beginning of a text, alone on its line or right before the answer: how long it is; 'perhaps' as above. */
export function strayClosing(text: string): number | 'perhaps' | undefined {
  const beginning = text.slice(0, LONGEST + 1).toLowerCase();
  for (const {close} of THINKING_TAGS) {
    if (beginning === close || close.startsWith(beginning)) return 'perhaps';
    if (beginning.startsWith(close)) return /[ \t`'"]/.test(beginning[close.length] ?? '') ? undefined : close.length;
  }
  return undefined;
}

/**
 * Finds the closing tag that ends the reasoning; one in quotes or inline code is only mentioned. -1: none. `before`: the character before
 * the text.
 */
export function closingIn(text: string, {close}: ThinkingTag, before = ' '): number {
  const lower = text.toLowerCase();
  for (let at = lower.indexOf(close); at >= 0; at = lower.indexOf(close, at + 1)) {
    const quote = at === 0 ? before : text.charAt(at - 1);
    const isMention = QUOTES.includes(quote) && quote === text[at + close.length];
    if (!isMention) return at;
  }
  return -1;
}

const QUOTES = '`\'"';
const LONGEST = Math.max(...THINKING_TAGS.map(({open, close}) => Math.max(open.length, close.length)));
