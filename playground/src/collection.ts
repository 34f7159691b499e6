import { assets } from './assets';

/** The content of the collection page: every image, uncropped. The service has the alt texts. */
export const collection = [
  {
    id: assets.compass,
    name: 'Ship’s compass',
    note: 'Brass and card, about 1870',
  },
  {
    id: assets.dawn,
    name: 'Dawn',
    note: 'The harbour mouth in May',
  },
  {
    id: assets.lighthouse,
    name: 'Skarv light',
    note: 'Lit since 1868',
  },
  {
    id: assets.knots,
    name: 'Knot board',
    note: 'From the rope loft',
  },
  {
    id: assets.netMaker,
    name: 'The net-maker',
    note: 'Portrait of Berit Holm',
  },
  {
    id: assets.chart,
    name: 'Chart of 1874',
    note: 'Soundings in fathoms',
  },
  {
    id: assets.quay,
    name: 'The old quay',
    note: 'Looking north',
  },
  {
    id: assets.schooner,
    name: 'The Aurora',
    note: 'Built in 1891',
  },
  {
    id: assets.lamp,
    name: 'Lens',
    note: 'Of Skarv light, until 1962',
  },
  {
    id: assets.fishMarket,
    name: 'Fish market',
    note: 'Saturday, half past five',
  },
  {
    id: assets.pilot,
    name: 'The pilot',
    note: 'Portrait of Anders Vik',
  },
  {
    id: assets.night,
    name: 'Winter night',
    note: 'The inner harbour',
  },
  {
    id: assets.logbook,
    name: 'Log of the Aurora',
    note: 'October 1893',
  },
  {
    id: assets.gulls,
    name: 'Gulls',
    note: 'Behind the Solveig',
  },
  {
    id: assets.shipModel,
    name: 'Builder’s model',
    note: 'Pine and linen, 1891',
  },
  {
    id: assets.storm,
    name: 'Westerly, force ten',
    note: 'The Solveig off Skarv',
  },
  {
    id: assets.townPlan,
    name: 'Plan of the town',
    note: 'Surveyed in 1782',
  },
  {
    id: assets.building,
    name: 'The customs house',
    note: 'Our home since 1931',
  },
  {
    id: assets.fishingBoats,
    name: 'At anchor',
    note: 'Three boats, one family',
  },
  {
    id: assets.hall,
    name: 'The long hall',
    note: 'First floor',
  },
] as const;
