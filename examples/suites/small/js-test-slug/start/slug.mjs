/** See README.md. */
export function slug(title) {
  const plain = title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  if (plain === '') throw new RangeError('no letter or digit in the title');
  return plain.length <= 40 ? plain : plain.slice(0, 40).replace(/-[^-]*$/, '');
}
