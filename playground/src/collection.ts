import { assets } from './assets';

/** The content of the collection page: every image, uncropped. */
export const collection = [
  {
    id: assets.compass,
    name: 'Ship’s compass',
    note: 'Brass and card, about 1870',
    alt: 'Compass card with a rose of thirty-two points in a brass bowl.',
  },
  {
    id: assets.dawn,
    name: 'Dawn',
    note: 'The harbour mouth in May',
    alt: 'Sunrise over the harbour mouth with lighthouse, sailing boat and fishing boat.',
  },
  {
    id: assets.lighthouse,
    name: 'Skarv light',
    note: 'Lit since 1868',
    alt: 'A red and white lighthouse with the keeper’s house on a grey skerry.',
  },
  {
    id: assets.knots,
    name: 'Knot board',
    note: 'From the rope loft',
    alt: 'Six knots and plaits of rope on blue planks, each with its name.',
  },
  {
    id: assets.netMaker,
    name: 'The net-maker',
    note: 'Portrait of Berit Holm',
    alt: 'A woman in a red headscarf with white dots in front of a hanging net.',
  },
  {
    id: assets.chart,
    name: 'Chart of 1874',
    note: 'Soundings in fathoms',
    alt: 'A sea chart with depths, a compass rose and a dashed course in red.',
  },
  {
    id: assets.quay,
    name: 'The old quay',
    note: 'Looking north',
    alt: 'A row of coloured warehouses and their reflection in the harbour.',
  },
  {
    id: assets.schooner,
    name: 'The Aurora',
    note: 'Built in 1891',
    alt: 'A schooner under full sail in front of a low sun.',
  },
  {
    id: assets.lamp,
    name: 'Lens',
    note: 'Of Skarv light, until 1962',
    alt: 'A lighthouse lens, lit, on an iron stand.',
  },
  {
    id: assets.fishMarket,
    name: 'Fish market',
    note: 'Saturday, half past five',
    alt: 'Two market stalls with striped awnings, fish on ice, and a customer.',
  },
  {
    id: assets.pilot,
    name: 'The pilot',
    note: 'Portrait of Anders Vik',
    alt: 'A bearded man in a pilot’s cap and a yellow oilskin coat.',
  },
  {
    id: assets.night,
    name: 'Winter night',
    note: 'The inner harbour',
    alt: 'Warehouses with lit windows under a full moon, mirrored in the harbour.',
  },
  {
    id: assets.logbook,
    name: 'Log of the Aurora',
    note: 'October 1893',
    alt: 'An open log book with handwriting, a drawing of a schooner and a pencil.',
  },
  {
    id: assets.gulls,
    name: 'Gulls',
    note: 'Behind the Solveig',
    alt: 'Gulls on the wing behind a red fishing boat.',
  },
  {
    id: assets.shipModel,
    name: 'Builder’s model',
    note: 'Pine and linen, 1891',
    alt: 'Model of a schooner in a glass case.',
  },
  {
    id: assets.storm,
    name: 'Westerly, force ten',
    note: 'The Solveig off Skarv',
    alt: 'A red fishing boat climbing a steep dark sea under storm clouds.',
  },
  {
    id: assets.townPlan,
    name: 'Plan of the town',
    note: 'Surveyed in 1782',
    alt: 'A coloured plan of a town on a bay, with fields, jetties and a fort.',
  },
  {
    id: assets.building,
    name: 'The customs house',
    note: 'Our home since 1931',
    alt: 'A yellow house with a red roof, clock and flag, on a cobbled square.',
  },
  {
    id: assets.fishingBoats,
    name: 'At anchor',
    note: 'Three boats, one family',
    alt: 'Three fishing boats, red, blue and green, on still water at dusk.',
  },
  {
    id: assets.hall,
    name: 'The long hall',
    note: 'First floor',
    alt: 'A long room with models in cases and a boat hung from the roof.',
  },
] as const;
