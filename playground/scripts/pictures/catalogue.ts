import type { Layer, Size } from './kit/layer.ts';
import type { Random } from './kit/random.ts';
import { drawBuilding } from './scenes/building.ts';
import { drawChart } from './scenes/chart.ts';
import { drawCompass } from './scenes/compass.ts';
import { drawDawn } from './scenes/dawn.ts';
import { drawFishMarket } from './scenes/fish-market.ts';
import { drawFishingBoats } from './scenes/fishing-boats.ts';
import { drawGulls } from './scenes/gulls.ts';
import { drawHall } from './scenes/hall.ts';
import { drawKnots } from './scenes/knots.ts';
import { drawLamp } from './scenes/lamp.ts';
import { drawLighthouse } from './scenes/lighthouse.ts';
import { drawLogbook } from './scenes/logbook.ts';
import { drawNight } from './scenes/night.ts';
import { drawNetMaker, drawPilot } from './scenes/portraits.ts';
import { drawQuay } from './scenes/quay.ts';
import { drawSchooner } from './scenes/schooner.ts';
import { drawShipModel } from './scenes/ship-model.ts';
import { drawStorm } from './scenes/storm.ts';
import { drawTownPlan } from './scenes/town-plan.ts';

export interface Picture extends Size {
  /** Below the media folder; its folders are folders of the service. */
  readonly path: string;
  readonly draw: (size: Size, random: Random) => Promise<Layer>;
  /** Spread of the grain, in steps of brightness; 4 unless said. PNGs have none, for their size. */
  readonly grain?: number;
  /** How dark the corners get, 0 to 1; 0.3 unless said. */
  readonly vignette?: number;
  /** Stored on its side with EXIF orientation 6, as a telephone held upright does. */
  readonly sideways?: boolean;
}

/**
 * Every picture, in the order of its path, which is the order in which the emulator numbers them.
 * Among folders, and within each, first letters differ or one name sorts clearly before the other,
 * so that any way of sorting agrees.
 */
export const pictures: readonly Picture[] = [
  { path: 'collection/compass.png', width: 2400, height: 2400, vignette: 0.2, draw: drawCompass },
  { path: 'collection/knots.png', width: 2400, height: 1800, vignette: 0.2, draw: drawKnots },
  { path: 'collection/lamp.jpg', width: 2000, height: 3000, vignette: 0.4, draw: drawLamp },
  {
    path: 'collection/ship-model.jpg',
    width: 2800,
    height: 1900,
    vignette: 0.45,
    draw: drawShipModel,
  },
  { path: 'documents/chart.jpg', width: 3000, height: 2000, vignette: 0.25, draw: drawChart },
  { path: 'documents/logbook.jpg', width: 2400, height: 1600, vignette: 0.4, draw: drawLogbook },
  { path: 'documents/town-plan.png', width: 2600, height: 2000, vignette: 0.2, draw: drawTownPlan },
  { path: 'harbour/dawn.jpg', width: 3600, height: 2000, grain: 5, vignette: 0.35, draw: drawDawn },
  { path: 'harbour/fish-market.jpg', width: 2400, height: 1600, draw: drawFishMarket },
  {
    path: 'harbour/lighthouse.jpg',
    width: 2000,
    height: 3000,
    sideways: true,
    draw: drawLighthouse,
  },
  {
    path: 'harbour/night.jpg',
    width: 3000,
    height: 2000,
    grain: 5,
    vignette: 0.4,
    draw: drawNight,
  },
  { path: 'harbour/quay.jpg', width: 3200, height: 1800, vignette: 0.25, draw: drawQuay },
  {
    path: 'harbour/storm.jpg',
    width: 3000,
    height: 2000,
    grain: 5,
    vignette: 0.4,
    draw: drawStorm,
  },
  { path: 'museum/building.jpg', width: 2800, height: 2000, vignette: 0.25, draw: drawBuilding },
  { path: 'museum/hall.jpg', width: 2800, height: 1900, vignette: 0.4, draw: drawHall },
  { path: 'people/net-maker.jpg', width: 2000, height: 2500, vignette: 0.35, draw: drawNetMaker },
  { path: 'people/pilot.jpg', width: 2000, height: 2500, draw: drawPilot },
  { path: 'ships/fishing-boats.jpg', width: 3000, height: 2000, draw: drawFishingBoats },
  { path: 'ships/gulls.jpg', width: 2400, height: 1600, vignette: 0.25, draw: drawGulls },
  {
    path: 'ships/schooner.jpg',
    width: 2600,
    height: 2000,
    grain: 5,
    vignette: 0.35,
    draw: drawSchooner,
  },
];
