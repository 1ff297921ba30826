/** 0.8375 → `83.8`. */
export function points(rate: number): string {
  return (rate * 100).toFixed(1);
}

/** 0.0375 → `+3.8`, −0.0375 → `−3.8`. */
export function signedPoints(rate: number): string {
  const text = points(Math.abs(rate));
  return `${rate < 0 && text !== '0.0' ? '−' : '+'}${text}`;
}

/** 0.8375 → `83.8 %`; whole numbers without a fraction. */
export function percent(rate: number): string {
  return `${points(rate).replace(/\.0$/, '')} %`;
}

/** US dollars: cents from ten cents on, below three digits that count. */
export function dollars(usd: number): string {
  if (usd === 0 || usd >= 0.0995) return `$${usd.toFixed(2)}`;
  return usd < 0.000_05 ? '<$0.0001' : `$${Number(usd.toPrecision(3))}`;
}

/** 1234 → `1.2k`, 1234567 → `1.2M`. */
export function shortCount(count: number): string {
  const [divisor, unit] = count >= 999_950_000 ? [1e9, 'G'] : count >= 999_950 ? [1e6, 'M'] : count >= 1000 ? [1000, 'k'] : [1, ''];
  return unit === '' ? String(Math.round(count)) : `${(count / divisor).toFixed(1)}${unit}`;
}

/** Milliseconds: `40 ms`, `4.2 s`, `38 s`, `12 min 5 s`, `3 h 5 min`. */
export function duration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min${seconds % 60 === 0 ? '' : ` ${seconds % 60} s`}`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} min`}`;
}
