/**
 * The IDs of the museum's images and files in the service.
 *
 * An editor copies an ID from the service's page. The emulator assigns IDs from 4711 on, in the
 * order of the paths below `media/`. This list has the same order.
 */
export const assets = {
  compass: 4711,
  knots: 4712,
  lamp: 4713,
  shipModel: 4714,
  chart: 4715,
  logbook: 4716,
  townPlan: 4717,
  dawn: 4718,
  fishMarket: 4719,
  lighthouse: 4720,
  night: 4721,
  quay: 4722,
  storm: 4723,
  building: 4724,
  hall: 4725,
  netMaker: 4726,
  pilot: 4727,
  fishingBoats: 4728,
  gulls: 4729,
  schooner: 4730,
  bell: 4731,
  dawnFilm: 4732,
  programme: 4733,
} as const;
