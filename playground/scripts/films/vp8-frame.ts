/**
 * The VP8 key frame in a lossy WebP picture: its one chunk `VP8 ` (RFC 9649, 2.5), which a WebM
 * video can hold as it is.
 */
export function vp8Frame(webp: Buffer): Buffer {
  if (webp.toString('latin1', 0, 4) !== 'RIFF' || webp.toString('latin1', 8, 16) !== 'WEBPVP8 ') {
    throw new Error('This is no simple lossy WebP.');
  }
  return webp.subarray(20, 20 + webp.readUInt32LE(16));
}
