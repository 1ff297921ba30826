import {escaped} from '../../../sessions/export/html-text.ts';

/** A place on an axis, 0 to 1, as a share of the width: pictures fit any screen without a script, and their text keeps its size. */
export function across(share: number): string {
  return `${shortened(PADDING + (100 - 2 * PADDING) * Math.min(1, Math.max(0, share)))}%`;
}

/** A width along the axis, from one share to another. */
export function span(from: number, to: number): string {
  return `${shortened((100 - 2 * PADDING) * Math.max(0, Math.min(1, to) - Math.max(0, from)))}%`;
}

/** Room beside the axis, so that marks at its ends are whole; percent of the width. */
const PADDING = 3;

function shortened(value: number): string {
  return value.toFixed(2).replace(/\.?0+$/, '');
}

/** A picture of this height in pixels; `label` says in words what it shows. */
export function picture(label: string, height: number, parts: readonly string[]): string {
  return `<svg role="img" width="100%" height="${height}" aria-label="${escaped(label)}">${parts.join('')}</svg>`;
}

/** A mark with a text that a pointer shows. */
export function titled(text: string, mark: string): string {
  return `<g><title>${escaped(text)}</title>${mark}</g>`;
}

/** Thin lines at places of the axis. */
export function gridLines(places: readonly number[], height: number): string[] {
  return places.map((place) => `<line class="grid" x1="${across(place)}" x2="${across(place)}" y1="0" y2="${height}"/>`);
}

/** The row of numbers below pictures that share an axis. */
export function axis(ticks: readonly {readonly at: number; readonly label: string}[]): string {
  const texts = ticks.map(({at, label}, index) => {
    const anchor = index === 0 && at < 0.05 ? ' class="first"' : at > 0.95 ? ' class="last"' : '';
    return `<text${anchor} x="${across(at)}" y="14">${escaped(label)}</text>`;
  });
  return `<svg class="axis" aria-hidden="true" width="100%" height="20">${texts.join('')}</svg>`;
}

/** One row of a chart: its name, its picture, its figure. */
export function chartRow(name: string, svg: string, figure: string): string {
  return `<div class="row"><span class="name">${escaped(name)}</span><span class="plot">${svg}</span><span class="figure">${figure}</span></div>`;
}

export function axisRow(svg: string): string {
  return `<div class="row axis-row"><span class="name"></span><span class="plot">${svg}</span><span class="figure"></span></div>`;
}

/** A chart with a heading and a line that says how to read it. */
export function figure(id: string, {title, caption}: {readonly title: string; readonly caption: string}, rows: readonly string[]): string {
  return `<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2><p class="caption">${caption}</p>${rows.join('')}</section>`;
}

/** Round places of a scale from 0 to at least `most`, about four of them. */
export function roundTicks(most: number): readonly number[] {
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const ticks: number[] = [];
  for (let count = 0; count * step < most + step * 0.999; count += 1) ticks.push(count * step);
  return ticks;
}
