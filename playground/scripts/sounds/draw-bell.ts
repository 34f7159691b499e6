import { wavFile } from './wav-file.ts';

const rate = 22_050;
const seconds = 3;

/** The partials of a small bell: ratio to the note, loudness, and how fast each dies away. */
const partials = [
  [0.5, 0.35, 0.9],
  [1, 0.5, 1.3],
  [1.19, 0.4, 1.8],
  [1.5, 0.25, 2.4],
  [2, 0.35, 2.8],
  [2.51, 0.15, 4.5],
  [3.01, 0.12, 6],
] as const;

/** A ship's bell, struck twice: a WAV file of one channel with 16 bits. */
export function drawBell(): Buffer {
  const samples = Buffer.alloc(rate * seconds * 2);
  for (let at = 0; at < rate * seconds; at += 1) {
    const time = at / rate;
    const value = strike(time) + strike(time - 0.45);
    samples.writeInt16LE(Math.round(Math.max(-1, Math.min(1, 0.4 * value)) * 32_767), at * 2);
  }
  return wavFile({ rate, bytesPerSample: 2, samples });
}

function strike(time: number): number {
  if (time < 0) return 0;
  return partials.reduce(
    (sum, [ratio, loudness, decay]) =>
      sum + loudness * Math.exp(-decay * time) * Math.sin(2 * Math.PI * 660 * ratio * time),
    0,
  );
}
