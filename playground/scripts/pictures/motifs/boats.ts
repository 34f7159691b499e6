import { palette } from '../kit/colour.ts';

export interface Boat {
  /** Where the middle of the hull meets the water. */
  readonly x: number;
  readonly y: number;
  /** Length of the hull, in pixels. */
  readonly length: number;
  readonly hull: string;
  readonly trim?: string;
  readonly house?: string;
  /** Bow to the left. */
  readonly flip?: boolean;
  /** Windows with light in them. */
  readonly lit?: boolean;
}

/** A wooden fishing boat with wheelhouse, mast and boom, seen from the side. */
export function drawFishingBoat(boat: Boat): string {
  const { hull, trim = palette.cream, house = palette.cream, lit = false } = boat;
  const glass = lit ? palette.straw : palette.ink;
  return place(
    boat,
    `<g fill="none" stroke="${palette.ink}" stroke-width=".7">
      <path d="M16,-19V-74M16,-72L56,-27M16,-70L-46,-17M16,-40L-14,-56"/>
      <path d="M-14,-56L16,-72M-14,-56L-24,-20" stroke-width=".45"/>
    </g>
    <path d="M15,-19h2.4v-55h-1.4z" fill="${palette.rust}"/>
    <path d="M17,-73l11,3.4l-11,3.6z" fill="${palette.brick}"/>
    <path d="M-35,-16V-40H-12V-16Z" fill="${house}"/>
    <path d="M-35,-16V-40H-29V-16Z" fill="${palette.ink}" fill-opacity=".16"/>
    <path d="M-38,-40h29l-2,-4h-25z" fill="${palette.rust}"/>
    <path d="M-32,-36h5.4v7.4h-5.4zM-24.6,-36h4.6v7.4h-4.6zM-18,-36h4.4v7.4h-4.4z" fill="${glass}"/>
    <path d="M-29,-44v-9h3v9z" fill="${palette.ink}"/>
    <path d="M-4,-17v-6h12v6z" fill="${palette.ochre}"/>
    <path d="M-53,-18C-30,-13 12,-12 36,-19C46,-22 54,-25 60,-29C58,-16 52,-6 45,1H-45C-50,-3 -53,-11 -53,-18Z" fill="${hull}"/>
    <path d="M-53,-18C-30,-13 12,-12 36,-19C46,-22 54,-25 60,-29L59.2,-25C52,-21.500 45,-18.500 36,-15.500C12,-8.500 -30,-9.500 -52.600,-14.500Z" fill="${trim}"/>
    <path d="M-49,-4.500C-20,-1.500 20,-1.500 49.500,-4.500L45,1H-45C-47,-.5 -48.400,-2.400 -49,-4.500Z" fill="${palette.rust}"/>
    <path d="M-53,-18C-30,-13 12,-12 36,-19C20,-8 -30,-4 -47,-1C-51,-5 -53,-11 -53,-18Z" fill="#000" fill-opacity=".07"/>`,
  );
}

/** A small open boat with a gaff or lug sail. */
export function drawSailingBoat(boat: Boat & { readonly sail: string }): string {
  const { hull, sail, trim = palette.cream } = boat;
  return place(
    boat,
    `<path d="M3,-12V-118" stroke="${palette.rust}" stroke-width="2.4"/>
    <path d="M0,-20C-24,-22 -40,-20 -50,-17C-46,-50 -32,-84 -4,-104C1,-80 2,-46 0,-20Z" fill="${sail}"/>
    <path d="M0,-20C-24,-22 -40,-20 -50,-17C-44,-34 -20,-46 1,-50Z" fill="#000" fill-opacity=".08"/>
    <path d="M8,-112C22,-80 38,-46 60,-17C40,-14 22,-16 9,-20Z" fill="${sail}"/>
    <path d="M8,-112C22,-80 38,-46 60,-17C44,-40 24,-74 8,-112Z" fill="#fff" fill-opacity=".2"/>
    <path d="M-52,-14C-20,-9 20,-9 60,-16C56,-6 50,-1 42,1H-40C-47,-2 -51,-8 -52,-14Z" fill="${hull}"/>
    <path d="M-52,-14C-20,-9 20,-9 60,-16L59,-12.600C20,-6 -20,-6 -51.400,-10.800Z" fill="${trim}"/>
    <path d="M3,-118l-14,4.400l14,4z" fill="${palette.brick}"/>`,
  );
}

/** A rowing boat at its mooring. */
export function drawRowingBoat(boat: Boat): string {
  const { hull, trim = palette.cream } = boat;
  return place(
    boat,
    `<path d="M-50,-15C-24,-9 24,-9 54,-20C51,-7 46,-1 38,1H-38C-46,-2 -49,-8 -50,-15Z" fill="${hull}"/>
    <path d="M-50,-15C-24,-9 24,-9 54,-20L53,-16C24,-5 -24,-5 -49.400,-11Z" fill="${trim}"/>
    <path d="M-22,-11.500h9v3h-9zM8,-12h9v3h-9z" fill="${palette.rust}"/>
    <path d="M-44,-13L-12,-19L-10,-17.600L-42,-11z" fill="${palette.sand}"/>`,
  );
}

/** A schooner with gaff sails on two masts, seen from the side. */
export function drawSchooner(boat: Boat & { readonly sail: string }): string {
  const { hull, sail, trim = palette.cream } = boat;
  const main = 'M-18,-19C-34,-20 -48,-19 -60,-17C-54,-36 -48,-52 -43,-66C-35,-69 -26,-72 -18,-75Z';
  const fore = 'M16,-19C5,-20 -5,-20 -13,-19C-11,-38 -8,-55 -4,-69C3,-72 10,-76 16,-80Z';
  const jibs = [
    'M22,-84C31,-62 42,-40 54,-19C43,-17 32,-18 24,-22C25,-44 24,-64 22,-84Z',
    'M27,-89C42,-66 57,-44 71,-24C66,-21 62,-20 58,-20C47,-42 37,-64 27,-89Z',
  ];
  return place(
    boat,
    `<path d="M-16,-10V-96M18,-10V-101M48,-15L80,-24" stroke="${palette.rust}" stroke-width="1.5" fill="none"/>
    <path d="M18,-100L79,-24M18,-82L56,-18M-16,-95L18,-100M-16,-95L-58,-18" stroke="${palette.ink}" stroke-width=".35" fill="none"/>
    <path d="M-18,-78C-25,-75.500 -33,-72 -40,-69C-34,-79 -26,-88 -17,-94ZM16,-83C10,-79 4,-75 -2,-72C2,-83 9,-93 17,-99Z" fill="${sail}" fill-opacity=".9"/>
    <path d="${main}${fore}" fill="${sail}"/>
    <path d="${jibs[1]}" fill="${sail}" fill-opacity=".86"/><path d="${jibs[0]}" fill="${sail}"/>
    <path d="M-18,-19C-34,-20 -48,-19 -60,-17C-54,-29 -36,-35 -18,-38ZM16,-19C5,-20 -5,-20 -13,-19C-7,-30 6,-36 16,-39ZM54,-19C43,-17 32,-18 24,-22C32,-26 42,-26 54,-19Z" fill="#000" fill-opacity=".09"/>
    <path d="M-27,-72L-30,-19.600M-36,-69L-44,-18.600M8,-75L6,-19.800M1,-71.500L-4,-19.600" stroke="${palette.ink}" stroke-opacity=".16" stroke-width=".4"/>
    <path d="M-17,-76L-45,-66M-16,-18L-61,-16M17,-81.500L-5,-69M17,-18L-13,-18" stroke="${palette.rust}" stroke-width="1.1"/>
    <path d="M-16,-96l-12,2.600l12,2.400zM18,-101l-12,2.600l12,2.400z" fill="${palette.brick}"/>
    <path d="M-58,-13C-30,-8 16,-7 56,-17C52,-9 46,-2 36,1H-46C-53,-2 -57,-8 -58,-13Z" fill="${hull}"/>
    <path d="M-58,-13C-30,-8 16,-7 56,-17L55,-14.600C16,-4.600 -30,-5.600 -57.400,-10.600Z" fill="${trim}"/>
    <path d="M-54,-4C-20,-1 20,-1 42,-3.500L36,1H-46C-49.500,0 -52,-1.800 -54,-4Z" fill="${palette.rust}"/>`,
  );
}

function place({ x, y, length, flip = false }: Boat, drawing: string): string {
  const scale = length / 110;
  return `<g transform="translate(${x} ${y}) scale(${flip ? -scale : scale} ${scale})">${drawing}</g>`;
}
