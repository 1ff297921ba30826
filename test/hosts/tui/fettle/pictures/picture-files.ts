/** Pictures of a few bytes, by the endings of their files. */
export const PICTURES = {
  png: Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'),
  jpg: Buffer.from('\xff\xd8\xff\xe0....', 'latin1'),
  gif: Buffer.from('GIF89a....', 'latin1'),
  webp: Buffer.from('RIFF\x04\x00\x00\x00WEBPVP8 ', 'latin1'),
} as const;
