export interface Lighthouse {
  readonly x: number;
  /** The row where the tower stands on its rock. */
  readonly base: number;
  /** From the base to the top of the roof, in pixels. */
  readonly height: number;
  readonly wall: string;
  readonly band: string;
  readonly roof: string;
  readonly glass: string;
}

/** A tapering round tower with two bands, gallery and lantern. */
export function drawLighthouse(lighthouse: Lighthouse): string {
  const { x, base, height, wall, band, roof, glass } = lighthouse;
  const scale = height / 200;
  return `<g transform="translate(${x} ${base}) scale(${scale})">
    <path d="M-21,0L-14,-150H14L21,0Z" fill="${wall}"/>
    <path d="M-18.7,-50L-16.800,-90H16.800L18.700,-50ZM-15.100,-126L-14,-150H14L15.100,-126Z" fill="${band}"/>
    <path d="M4,0L5,-150H14L21,0Z" fill="#0b1420" fill-opacity=".22"/>
    <path d="M-21,0L-14,-150H-10L-14,0Z" fill="#fff" fill-opacity=".14"/>
    <path d="M-4,-14h8v14h-8zM-3,-72h6v9h-6zM-2.500,-112h5v8h-5z" fill="#16222e"/>
    <path d="M-19,-150h38v-4h-38z" fill="${roof}"/>
    <path d="M-18,-154v-9M-12,-154v-9M12,-154v-9M18,-154v-9M-18.500,-163h37" stroke="${roof}" stroke-width="1.1" fill="none"/>
    <path d="M-10,-154h20v-20h-20z" fill="${glass}"/>
    <path d="M-10,-154v-20M-3.500,-154v-20M3.500,-154v-20M10,-154v-20" stroke="${roof}" stroke-width="1.2"/>
    <path d="M-13,-174C-11,-184 -5,-190 0,-192C5,-190 11,-184 13,-174Z" fill="${roof}"/>
    <path d="M0,-191v-9" stroke="${roof}" stroke-width="1.400"/>
  </g>`;
}
