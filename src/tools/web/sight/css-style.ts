import type {CssDeclaration} from './css-declarations.ts';

/** The effective values for one element. */
export interface CssStyle {
  /** Returns the value of a property; '' if it is not set. */
  get(name: string): string;
  has(name: string): boolean;
}

/** Returns each property with its effective value: an `!important` one before all others, then the last. Shorthands are expanded. */
export function winningStyle(declarations: readonly CssDeclaration[]): CssStyle {
  const style = new Map<string, string>();
  const sorted = [...declarations.filter(({important}) => !important), ...declarations.filter(({important}) => important)];
  for (const {name, value} of sorted) {
    if (name === 'inset') for (const side of ['top', 'left']) style.set(side, value.split(' ').at(side === 'left' ? -1 : 0) ?? '');
    else if (/^(?:animation|transition)/.test(name)) noteMove(style, name, value);
    else if (name.startsWith('overflow')) style.set('overflow', value);
    else if (name === 'background') style.set('background-color', value).set('background-image', value);
    else style.set(name.replace('inline-size', 'width').replace('block-size', 'height'), value);
  }
  return {get: (name) => style.get(name) ?? '', has: (name) => style.has(name)};
}

/** Notes animations and transitions: content that appears by itself, on scrolling or on a click counts as visible. */
function noteMove(style: Map<string, string>, name: string, value: string): void {
  const kind = name.startsWith('animation') ? 'animation' : 'transition';
  const isNone = /^(?:none|0s|initial|unset)?$/.test(value);
  const isOther =
    kind === 'transition' && /^(?:color|background|border|box-shadow|fill|stroke|outline|text-decoration)\S*(?:\s[^,]*)?$/.test(value);
  if (name === kind && isNone) style.delete(kind);
  else if (!isNone && !isOther && /^(?:animation(?:-name)?|transition(?:-property|-duration)?)$/.test(name)) style.set(kind, value);
}
