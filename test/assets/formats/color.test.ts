import { describe, expect, test } from 'vitest';
import {
  type Color,
  colorOfCodes,
  colorOfGamma,
  isSrgb,
  profileOf,
} from '../../../src/assets/formats/color.ts';

/** The data of a tag in an ICC profile, after its type and four zeros. */
function tagOf(profile: Buffer, tag: string): Buffer {
  for (let at = 132; at < 132 + 12 * profile.readUInt32BE(128); at += 12) {
    if (profile.toString('latin1', at, at + 4) !== tag) continue;
    const start = profile.readUInt32BE(at + 4);
    return profile.subarray(start + 8, start + profile.readUInt32BE(at + 8));
  }
  throw new Error(`The profile has no ${tag}.`);
}

/** The XYZ values of a tag. */
const xyzOf = (color: Color, tag: string) => {
  const data = tagOf(profileOf(color), tag);
  return [0, 4, 8].map((at) => data.readInt32BE(at) / 65_536);
};

/** The light that a profile makes of a value, both from 0 to 1. */
function lightOf(color: Color, value: number): number {
  const data = tagOf(profileOf(color), 'gTRC');
  const entries = data.readUInt32BE(0);
  return data.readUInt16BE(4 + 2 * Math.round(value * (entries - 1))) / 65_535;
}

const srgb = colorOfCodes(1, 13, 2.4);
const chromaticities = (...values: number[]) => values;
const p3 = chromaticities(0.3127, 0.329, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06);

// Red, green and blue, adapted to D50: as Bruce Lindbloom's tables and Apple's Display P3 have them, and
// for films, DCI and EBU from the chromaticities in ITU-T H.273.
test.each<[name: string, code: number, red: number[], green: number[], blue: number[]]>([
  ['sRGB', 1, [0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7142]],
  ['NTSC', 4, [0.6344, 0.3109, -0.0012], [0.1852, 0.5916, 0.0556], [0.1446, 0.0975, 0.7708]],
  ['PAL', 5, [0.4553, 0.2323, 0.0145], [0.3676, 0.7078, 0.1049], [0.1414, 0.0599, 0.7057]],
  ['SMPTE-C', 6, [0.4163, 0.2217, 0.0137], [0.3931, 0.7033, 0.0914], [0.1547, 0.075, 0.7202]],
  ['SMPTE 240M', 7, [0.4163, 0.2217, 0.0137], [0.3931, 0.7033, 0.0914], [0.1547, 0.075, 0.7202]],
  ['films', 8, [0.5657, 0.2642, -0.0013], [0.2539, 0.6851, 0.055], [0.1447, 0.0507, 0.7712]],
  ['BT.2020', 9, [0.6735, 0.279, -0.0019], [0.1657, 0.6753, 0.03], [0.1251, 0.0456, 0.7969]],
  ['XYZ', 10, [0.9978, -0.0098, -0.0074], [-0.0042, 1.0183, 0.0135], [-0.0294, -0.0086, 0.8189]],
  ['DCI', 11, [0.4862, 0.2267, -0.0008], [0.3239, 0.7103, 0.0432], [0.1542, 0.063, 0.7825]],
  ['P3', 12, [0.5151, 0.2412, -0.0011], [0.292, 0.6922, 0.0419], [0.1571, 0.0666, 0.7841]],
  ['EBU', 22, [0.4543, 0.2419, 0.0149], [0.3533, 0.6737, 0.0906], [0.1566, 0.0844, 0.7194]],
  ['unknown', 99, [0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7142]],
])('the profile of %s (%i) has its primaries', (_, code, ...expected) => {
  const color = colorOfCodes(code, 13, 2.4);
  for (const [at, tag] of ['rXYZ', 'gXYZ', 'bXYZ'].entries())
    for (const [index, value] of xyzOf(color, tag).entries())
      expect(value).toBeCloseTo(expected[at]?.[index] ?? Number.NaN, 3);
});

test.each([4, 5, 6, 7, 8, 9, 10, 11, 12, 22])('code %i mixes to white', (code) => {
  const color = colorOfCodes(code, 13, 2.4);
  const pure = ['rXYZ', 'gXYZ', 'bXYZ'].map((tag) => xyzOf(color, tag));
  for (const [at, white] of xyzOf(color, 'wtpt').entries()) {
    const mixed = pure.reduce((sum, xyz) => sum + (xyz[at] ?? Number.NaN), 0);
    expect(mixed).toBeCloseTo(white, 3);
  }
  expect(xyzOf(color, 'wtpt').map((value) => value.toFixed(4))).toEqual([
    ...['0.9642', '1.0000', '0.8249'],
  ]);
});

// From the standards: sRGB, SMPTE 240M, BT.470, DCI, BT.2100. Plain white is half of HDR's light.
test.each<[name: string, code: number, value: number, light: number]>([
  ['sRGB', 13, 0.01, 0.01 / 12.92],
  ['sRGB', 13, 0.03, 0.03 / 12.92],
  ['sRGB', 13, 0.5, 0.214],
  ['an unknown curve', 99, 0.5, 0.214],
  ['a gamma of 2.2', 4, 0.5, 0.2176],
  ['a gamma of 2.8', 5, 0.5, 0.1436],
  ['SMPTE 240M', 7, 0.08, 0.02],
  ['SMPTE 240M', 7, 0.5, 0.2649],
  ['a line', 8, 0.5, 0.5],
  ['DCI', 17, 0.5, 0.18],
  ['DCI', 17, 1, 1],
  ['PQ at 10 cd/m²', 16, 0.2997, 0.0246],
  ['PQ at 100 cd/m²', 16, 0.5081, 0.2463],
  ['PQ at 203 cd/m²', 16, 0.5807, 0.5],
  ['PQ at 1000 cd/m²', 16, 0.7518, 1],
  ['PQ at 10,000 cd/m²', 16, 1, 1],
  ['HLG', 18, 0.25, 0.0236],
  ['HLG', 18, 0.5, 0.1249],
  ['HLG at plain white', 18, 0.75, 0.5],
  ['HLG', 18, 1, 1],
  ['a video', 1, 0.5, 0.1895],
  ['a video', 6, 0.5, 0.1895],
  ['a video', 11, 0.5, 0.1895],
  ['a video', 14, 0.5, 0.1895],
  ['a video', 15, 0.5, 0.1895],
])('%s (%i) makes of %d a light of %d', (_, code, value, light) => {
  expect(Math.abs(lightOf(colorOfCodes(1, code, 2.4), value) - light)).toBeLessThan(
    0.0001 + 0.002 * light,
  );
});

describe('a PNG with a gamma', () => {
  test.each<[said: string, gamma: number, primaries: number[] | undefined, isPlain: boolean]>([
    ['of sRGB', 0.45455, undefined, true],
    ['close to it', 0.464, undefined, true],
    ['of another curve', 0.466, undefined, false],
    ['of another curve, on the other side', 0.443, undefined, false],
    [
      'of sRGB, with primaries close to it',
      0.45455,
      srgb.primaries.map((one) => one + 0.0019),
      true,
    ],
    ['of sRGB, with others', 0.45455, srgb.primaries.map((one) => one + 0.0021), false],
    ['of sRGB, with those of P3', 0.45455, p3, false],
    ['and impossible primaries', 1, chromaticities(0.3127, 0.329, 0, 0, 0, 0, 0, 0), true],
    [
      'and primaries nearly on a line',
      1,
      chromaticities(0.3127, 0.329, 0.64, 0.33, 0.4, 0.25, 0.15, 0.06),
      true,
    ],
    [
      'and unusual primaries',
      1,
      chromaticities(0.3127, 0.329, 0.64, 0.33, 0.36, 0.3, 0.15, 0.06),
      false,
    ],
    ['and primaries on a line', 1, chromaticities(0.3, 0.3, 0.1, 0.1, 0.2, 0.2, 0.4, 0.4), true],
  ])('%s (%d) counts as sRGB only if it looks the same', (_, gamma, primaries, isPlain) => {
    expect(isSrgb(colorOfGamma(gamma, primaries))).toBe(isPlain);
  });

  test('has that curve and its primaries', () => {
    expect(colorOfGamma(0.5, p3)).toEqual({ primaries: p3, curve: 2 });
    expect(isSrgb({ ...srgb, curve: 2.2 })).toBe(false);
  });
});

test('a profile is one for screens, as long as it says', () => {
  const profile = profileOf(colorOfCodes(12, 13, 2.4));
  expect(profile.readUInt32BE(0)).toBe(profile.length);
  expect(profile.toString('latin1', 12, 24)).toBe('mntrRGB XYZ ');
  expect(profile.toString('latin1', 36, 40)).toBe('acsp');
  for (const curve of ['rTRC', 'gTRC', 'bTRC'])
    expect(tagOf(profile, curve).length).toBe(4 + 2 * tagOf(profile, curve).readUInt32BE(0));
});
