/**
 * Lists the forms in which a secret may occur in other texts: as it is, in URLs, JSON, HTML, hex, bytes, base64 (also within a longer text:
 * `user:password`), line by line.
 */
export function encodedForms(secret: string): string[] {
  const lines = secret.includes('\n') ? secret.split(/\r?\n/).filter((line) => line.length >= MIN_LINE) : [];
  const json = JSON.stringify(secret).slice(1, -1);
  const all = [
    secret,
    Buffer.from(secret).toString('latin1'),
    ...lines,
    json,
    JSON.stringify(json).slice(1, -1),
    ...urlForms(secret),
    html(secret),
  ];
  const bytes = Buffer.from(secret);
  if (bytes.length >= MIN_ENCODED) all.push(bytes.toString('hex'), bytes.toString('hex').toUpperCase(), ...base64Forms(bytes));
  return [...new Set(all)].filter((encoding) => encoding.length >= MIN_CHARS);
}

const MIN_CHARS = 6;
const MIN_LINE = 16;
/** Shorter encodings leave too few characters that do not depend on their neighbours. */
const MIN_ENCODED = 8;

function urlForms(secret: string): string[] {
  if (!secret.isWellFormed()) return [];
  const upper = encodeURIComponent(secret);
  return [upper, upper.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()), upper.replaceAll('%20', '+'), encodeURI(secret)];
}

function html(secret: string): string {
  return secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** At each of the three offsets: the characters that the secret alone decides. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replaceAll('=', '');
    const first = Math.ceil((offset * 8) / 6);
    const whole = Math.floor(((offset + bytes.length) * 8) / 6);
    const certain = text.slice(first, whole);
    return [certain, certain.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
