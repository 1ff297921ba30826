/** Compares by code points. Plain `<` compares UTF-16 units, which puts emoji before U+E000–U+FFFF. */
export function compareCodePoints(a: string, b: string): number {
  if (a === b) return 0;
  const common = Math.min(a.length, b.length);
  for (let i = 0; i < common; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return orderOf(left) - orderOf(right);
  }
  return a.length - b.length;
}

/** Moves the surrogates above all other units. */
function orderOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
