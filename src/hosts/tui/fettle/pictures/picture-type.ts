/** Formats of pictures that models and browsers read, each with the ending of its files. */
export type PictureType = 'png' | 'jpg' | 'gif' | 'webp';

/** Larger pictures are not taken. Bytes. */
export const MOST_PICTURE_BYTES = 10_000_000;

/** Recognises a picture by its first bytes, whatever its name says (PNG 1.2 › 3.1, JPEG SOI and marker, GIF87a and GIF89a, RIFF with WEBP). */
export function pictureType(bytes: Uint8Array): PictureType | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (start.startsWith('\xff\xd8\xff')) return 'jpg';
  if (/^GIF8[79]a/.test(start)) return 'gif';
  return /^RIFF[^]{4}WEBP$/.test(start) ? 'webp' : undefined;
}
