/** Two independent sources of numbers in [0, 1): whether to explore, and what is drawn. One for both would tie the arm to the test (VT Code architecture › RL Optimization Loop). */
export interface RandomStreams {
  explore(): number;
  draw(): number;
}

/** Streams that a seed repeats; the seed is a whole number. */
export function seededStreams(seed: number): RandomStreams {
  return {explore: sfc32(mix(seed, 0x9e3779b9)), draw: sfc32(mix(seed, 0x85ebca6b))};
}

/** One stream that a seed repeats. */
export function seededNumbers(seed: number): () => number {
  return sfc32(mix(seed, 0xc2b2ae35));
}

/** Four words of state from a seed and the name of a stream (MurmurHash3 finalizer). */
function mix(seed: number, stream: number): [number, number, number, number] {
  const word = (n: number): number => {
    let h = (seed ^ Math.imul(stream, n + 1)) + Math.imul(n + 1, 0x27d4eb2f);
    h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    return h ^ (h >>> 16);
  };
  return [word(0), word(1), word(2), word(3)];
}

/** The small fast counter generator of PractRand, 32 bits. */
function sfc32([a, b, c, counter]: [number, number, number, number]): () => number {
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return (sum >>> 0) / 4294967296;
  };
  for (let round = 0; round < 12; round += 1) next();
  return next;
}

/** A number of the Beta distribution: the share of one of two Gamma numbers in their sum. */
export function drawBeta(alpha: number, beta: number, draw: () => number): number {
  const [x, y] = [drawGamma(alpha, draw), drawGamma(beta, draw)];
  return x + y === 0 ? 0.5 : x / (x + y);
}

/** A number of the Gumbel distribution; added to scores, the highest wins as often as softmax would choose it. */
export function drawGumbel(draw: () => number): number {
  return -Math.log(-Math.log(Math.max(draw(), TINY)));
}

const TINY = 1e-12;

/** Marsaglia and Tsang, "A simple method for generating gamma variables" (2000); shapes below 1 by the power of a uniform number. */
function drawGamma(shape: number, draw: () => number): number {
  if (shape < 1) return drawGamma(shape + 1, draw) * Math.max(draw(), TINY) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = drawNormal(draw);
    const v = (1 + c * x) ** 3;
    if (v <= 0) continue;
    if (Math.log(Math.max(draw(), TINY)) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

function drawNormal(draw: () => number): number {
  return Math.sqrt(-2 * Math.log(Math.max(draw(), TINY))) * Math.cos(2 * Math.PI * draw());
}
