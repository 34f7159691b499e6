/** Smooth noise from -1 to 1 at a point. */
export type Noise = (x: number, y: number) => number;

/** Value noise on a lattice of unit squares, the same for the same seed. */
export function createNoise(seed: number): Noise {
  const at = (x: number, y: number) => {
    let hash = Math.imul(x, 374761393) + Math.imul(y, 668265263) + Math.imul(seed, 2147483647);
    hash = Math.imul(hash ^ (hash >>> 13), 1274126177);
    return ((hash ^ (hash >>> 16)) >>> 0) / 2147483648 - 1;
  };
  return (x, y) => {
    const left = Math.floor(x);
    const top = Math.floor(y);
    const across = smooth(x - left);
    const down = smooth(y - top);
    const upper = blend(at(left, top), at(left + 1, top), across);
    const lower = blend(at(left, top + 1), at(left + 1, top + 1), across);
    return blend(upper, lower, down);
  };
}

/** Several octaves of one noise, each half as strong and twice as fine as the one before. */
export function layerNoise(noise: Noise, octaves: number): Noise {
  return (x, y) => {
    let sum = 0;
    let strength = 1;
    let total = 0;
    let scale = 1;
    for (let octave = 0; octave < octaves; octave += 1) {
      sum += noise(x * scale + octave * 17.3, y * scale - octave * 9.1) * strength;
      total += strength;
      strength /= 2;
      scale *= 2;
    }
    return sum / total;
  };
}

function smooth(t: number): number {
  return t * t * (3 - 2 * t);
}

function blend(from: number, to: number, t: number): number {
  return from + (to - from) * t;
}
