/** The IPTC's digital source types, with those that it has retired. */
export const sourceTypes: readonly string[] = [
  ...['digitalCapture', 'computationalCapture', 'negativeFilm', 'positiveFilm', 'print'],
  ...['minorHumanEdits', 'humanEdits', 'algorithmicallyEnhanced', 'softwareImage', 'digitalArt'],
  ...['digitalCreation', 'dataDrivenMedia', 'algorithmicMedia', 'trainedAlgorithmicMedia'],
  ...['compositeWithTrainedAlgorithmicMedia', 'compositeSynthetic', 'compositeCapture'],
  ...['composite', 'screenCapture', 'virtualRecording'],
];

const vocabulary = 'http://cv.iptc.org/newscodes/digitalsourcetype/';

export function sourceTypeUri(term: string): string {
  return vocabulary + term;
}

/** The term of a URI, which can be newer than our list, or a term of the list. */
export function readSourceType(text: string): string | undefined {
  const uri = /^https?:\/\/cv\.iptc\.org\/newscodes\/digitalsourcetype\/([a-z]{1,60})\/?$/i;
  const term = uri.exec(text.trim())?.[1];
  if (term === undefined) return sourceTypes.find((one) => one === text.trim());
  return sourceTypes.find((one) => one.toLowerCase() === term.toLowerCase()) ?? term;
}
