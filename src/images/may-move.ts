import { sniffBytes } from './sniff-bytes.ts';

/**
 * Whether the head of a file leaves open that it is an animation of whose frames this machine makes
 * renditions: a GIF, and a WebP that is announced as one. 21 bytes tell.
 */
export function mayMove(head: Buffer): boolean {
  const { kind } = sniffBytes(head);
  return kind === 'gif' || (kind === 'webp' && announcesFrames(head));
}

/** An extended WebP has a flag for it. */
function announcesFrames(webp: Buffer): boolean {
  const animationFlag = 0x02;
  return webp.toString('latin1', 12, 16) === 'VP8X' && ((webp[20] ?? 0) & animationFlag) !== 0;
}
