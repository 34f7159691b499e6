import { palette } from '../kit/colour.ts';
import { type Layer, renderSvg, type Size } from '../kit/layer.ts';
import { letter } from '../kit/lettering.ts';
import type { Random } from '../kit/random.ts';
import { verticalGradient } from '../kit/shapes.ts';
import { drawRopes, type Point, type Rope } from '../motifs/rope.ts';

const rope = '#dcb878';
const tarred = '#a9713f';

interface Knot {
  readonly name: string;
  readonly ropes: readonly Rope[];
}

/** The knot board from the rope loft: knots and turns on painted planks. */
export async function drawKnots(size: Size, random: Random): Promise<Layer> {
  const { width, height } = size;
  const drawn = createKnots().map(({ name, ropes }, index) => {
    const x = (width / 6) * (1 + 2 * (index % 3));
    const y = height * (index < 3 ? 0.25 : 0.71);
    return `<g transform="translate(${x} ${y})">
      <g transform="scale(.92)"><g transform="translate(14 22)" opacity=".34">${drawShadow(ropes)}</g>${drawRopes(ropes, 54)}</g>
      <path d="M-170,292h340v62h-340z" fill="${palette.cream}" stroke="#7d6742" stroke-width="4"/>
      <path d="${letter(name, { x: 0, y: 335, size: 26, anchor: 'middle' })}" fill="none" stroke="${palette.ink}" stroke-width="4.500" stroke-linecap="round" stroke-linejoin="round"/></g>`;
  });
  return renderSvg(size, `${drawPlanks({ ...size, random })}${drawn.join('')}${drawFrame(size)}`);
}

function createKnots(): Knot[] {
  const turn = Math.PI * 2;
  return [
    {
      name: 'CROSSING TURN',
      ropes: [
        {
          colour: rope,
          points: smooth([
            [-330, 120],
            [-200, 120],
            [-60, 95],
            [70, 20],
            [110, -90],
            [20, -170],
            [-90, -110],
            [-70, 20],
            [60, 95],
            [200, 120],
            [330, 120],
          ]),
        },
      ],
    },
    {
      name: 'FIGURE EIGHT',
      ropes: [
        {
          colour: tarred,
          points: smooth([
            [-340, 40],
            [-190, 40],
            [-60, 70],
            [70, 130],
            [190, 70],
            [170, -60],
            [40, -30],
            [-70, 60],
            [-200, 130],
            [-270, -20],
            [-160, -130],
            [0, -100],
            [140, -10],
            [330, -10],
          ]),
        },
      ],
    },
    {
      name: 'REEF',
      ropes: [
        {
          colour: rope,
          points: smooth([
            [-340, -70],
            [-170, -70],
            [-50, -20],
            [20, 70],
            [120, 110],
            [205, 0],
            [120, -110],
            [20, -70],
            [-50, 20],
            [-170, 70],
            [-340, 70],
          ]),
        },
        {
          colour: tarred,
          points: smooth([
            [340, -70],
            [170, -70],
            [50, -20],
            [-20, 70],
            [-120, 110],
            [-205, 0],
            [-120, -110],
            [-20, -70],
            [50, 20],
            [170, 70],
            [340, 70],
          ]),
        },
      ],
    },
    {
      name: 'TREFOIL',
      ropes: [
        {
          colour: tarred,
          points: closed(170, (t) => polar(t * turn * 2, 150 + 74 * Math.cos(1.5 * t * turn * 2))),
        },
      ],
    },
    {
      name: "TURK'S HEAD",
      ropes: [
        {
          colour: rope,
          points: closed(300, (t) =>
            polar(t * turn * 3, 166 + 72 * Math.cos((5 / 3) * t * turn * 3)),
          ),
        },
      ],
    },
    {
      name: 'MAT',
      ropes: [
        {
          colour: tarred,
          points: closed(300, (t) => ({
            x: 286 * Math.sin(2 * t * turn + 0.262),
            y: 206 * Math.sin(3 * t * turn),
          })),
        },
      ],
    },
  ];
}

function polar(angle: number, radius: number): Point {
  return { x: radius * Math.sin(angle), y: -radius * Math.cos(angle) };
}

function closed(count: number, at: (t: number) => Point): Point[] {
  return Array.from({ length: count + 1 }, (_, index) => at((index + 0.35) / count));
}

/** A Catmull-Rom curve through the given places, a point about every ten pixels. */
function smooth(places: readonly (readonly [number, number])[]): Point[] {
  const at = (index: number) => places[Math.max(0, Math.min(places.length - 1, index))] ?? [0, 0];
  return places.slice(1).flatMap((_, index) => {
    const corners = [at(index - 1), at(index), at(index + 1), at(index + 2)] as const;
    const steps = Math.round(
      Math.hypot(corners[2][0] - corners[1][0], corners[2][1] - corners[1][1]) / 10,
    );
    return Array.from({ length: steps }, (_, step) => {
      const t = step / steps;
      const along = (axis: 0 | 1) => {
        const [a, b, c, d] = corners.map((corner) => corner[axis]) as [
          number,
          number,
          number,
          number,
        ];
        return (
          0.5 *
          (2 * b +
            (c - a) * t +
            (2 * a - 5 * b + 4 * c - d) * t ** 2 +
            (3 * b - a - 3 * c + d) * t ** 3)
        );
      };
      return { x: along(0), y: along(1) };
    });
  });
}

function drawShadow(ropes: readonly Rope[]): string {
  return ropes
    .map(
      ({ points }) =>
        `<path d="M${points.map(({ x, y }) => `${x.toFixed(0)},${y.toFixed(0)}`).join('L')}" fill="none" stroke="#0a1a22" stroke-width="58" stroke-linejoin="round"/>`,
    )
    .join('');
}

function drawPlanks({ width, height, random }: Size & { random: Random }): string {
  const tall = height / 7;
  const planks = Array.from({ length: 7 }, (_, index) => {
    const grain = Array.from({ length: 9 }, () => {
      const y = index * tall + random.between(12, tall - 12);
      return `M${random.between(0, width * 0.6).toFixed(0)},${y.toFixed(0)}q${random.between(200, 500).toFixed(0)},${random.between(-9, 9).toFixed(0)} ${random.between(500, 1100).toFixed(0)},0`;
    });
    return `<path d="M0,${index * tall}h${width}v${tall}h${-width}z" fill="${['#3f7480', '#3b6e7b', '#437a85', '#386a77'][index % 4]}"/><path d="${grain.join('')}" stroke="#1d4654" stroke-opacity=".5" stroke-width="3" fill="none"/><path d="M0,${(index + 1) * tall - 3}h${width}" stroke="#173a47" stroke-width="7"/>`;
  });
  return `<defs>${verticalGradient('f', [
    { at: 0, colour: '#9a6d3f' },
    { at: 1, colour: '#6d4826' },
  ])}</defs>${planks.join('')}`;
}

function drawFrame({ width, height }: Size): string {
  return `<path d="M0,0H${width}V${height}H0ZM52,52V${height - 52}H${width - 52}V52Z" fill="url(#f)" fill-rule="evenodd"/><path d="M52,52V${height - 52}H${width - 52}V52Z" fill="none" stroke="#3d2712" stroke-width="6"/>`;
}
