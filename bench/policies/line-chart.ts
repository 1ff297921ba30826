/** One line of a chart; `tone` is its colour in the table of tones. */
export interface ChartLine {
  readonly name: string;
  readonly tone: number;
  readonly dashed?: boolean;
  readonly values: readonly number[];
}

export interface LineChart {
  readonly title: string;
  readonly xName: string;
  readonly yName: string;
  /** The number below the left end; the right end is `values.length` further. */
  readonly xFrom: number;
  readonly yMost: number;
  readonly yStep: number;
  readonly yText: (value: number) => string;
  readonly lines: readonly ChartLine[];
}

const [WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM] = [760, 380, 56, 44, 176, 46] as const;

/** An SVG that is read on light and on dark pages: its colours follow the page. Lines are named at their ends, so that colours need not be told apart. */
export function lineChart(chart: LineChart): string {
  const {title, xName, yName, xFrom, lines} = chart;
  const length = Math.max(...lines.map(({values}) => values.length));
  const x = (at: number): number => LEFT + (at / length) * (WIDTH - LEFT - RIGHT);
  const y = (value: number): number => HEIGHT - BOTTOM - (value / chart.yMost) * (HEIGHT - TOP - BOTTOM);
  const grid = Array.from({length: Math.floor(chart.yMost / chart.yStep + 1e-9) + 1}, (_, n) => n * chart.yStep).map(
    (value) =>
      `<path class="grid" d="M${LEFT} ${y(value).toFixed(1)}H${WIDTH - RIGHT}"/><text x="${LEFT - 8}" y="${(y(value) + 4).toFixed(1)}" text-anchor="end">${chart.yText(value)}</text>`,
  );
  const ticks = Array.from({length: Math.floor(length / 100) + 1}, (_, n) => n * 100).map(
    (at) => `<text x="${x(at).toFixed(1)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${xFrom + at}</text>`,
  );
  const drawn = lines.map((line) => path(line, x, y));
  const labels = apart(lines.map(({values}) => y(values.at(-1) ?? 0))).map((at, index) => {
    const {name, tone} = lines[index] ?? {name: '', tone: 0};
    return `<text class="t${tone}" x="${WIDTH - RIGHT + 8}" y="${(at + 4).toFixed(1)}">${name}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">`,
    `<title>${title}</title>`,
    `<style>${STYLE}</style>`,
    `<text class="title" x="${LEFT}" y="20">${title}</text>`,
    `<text class="dim" x="${LEFT}" y="36">${yName}</text>`,
    ...grid,
    ...ticks,
    `<text class="dim" x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 8}" text-anchor="middle">${xName}</text>`,
    ...drawn,
    ...labels,
    '</svg>',
    '',
  ].join('\n');
}

function path({values, tone, dashed}: ChartLine, x: (at: number) => number, y: (value: number) => number): string {
  const step = Math.max(1, Math.round(values.length / 100));
  const points = values.map((value, at) => ({at: at + 1, value})).filter(({at}) => at % step === 0 || at === 1);
  const steps = points.map(({at, value}, index) => `${index === 0 ? 'M' : 'L'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`);
  return `<path class="line s${tone}"${dashed === true ? ' stroke-dasharray="5 4"' : ''} d="${steps.join('')}"/>`;
}

/** Heights of labels, moved so that none covers another. */
function apart(heights: readonly number[]): readonly number[] {
  const order = heights.map((height, index) => ({height, index})).toSorted((a, b) => a.height - b.height);
  let last = -Infinity;
  const placed = order.map(({height, index}) => {
    last = Math.max(height, last + 15);
    return {height: last, index};
  });
  const beyond = Math.max(0, last - (HEIGHT - BOTTOM));
  return placed.toSorted((a, b) => a.index - b.index).map(({height}) => height - beyond);
}

/** For light and dark pages; each has enough contrast to its page. */
const TONES: readonly (readonly [string, string])[] = [
  ['#59636e', '#9198a1'],
  ['#0969da', '#4493f8'],
  ['#1a7f37', '#3fb950'],
  ['#bc4c00', '#db6d28'],
  ['#8250df', '#ab7df8'],
  ['#bf3989', '#db61a2'],
];

const tones = (side: 0 | 1): string => TONES.map((tone, n) => `.s${n}{stroke:${tone[side]}}.t${n}{fill:${tone[side]}}`).join('');
const STYLE = `:root{color-scheme:light dark}text{font:12px system-ui,sans-serif;fill:#1f2328}.title{font-weight:600;font-size:14px}.dim{fill:#59636e}.grid{stroke:#d1d9e0;fill:none}.line{fill:none;stroke-width:2}${tones(0)}@media(prefers-color-scheme:dark){text{fill:#e6edf3}.dim{fill:#9198a1}.grid{stroke:#3d444d}${tones(1)}}`;
