import sharp from 'sharp';

const namespaces = [
  'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"',
  'xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/"',
  'xmlns:Container="http://ns.google.com/photos/1.0/container/"',
  'xmlns:Item="http://ns.google.com/photos/1.0/container/item/"',
].join(' ');

/** A gray JPEG with a gain map, as phones write them (Ultra HDR). */
export async function drawUltraHdr(): Promise<Buffer> {
  const draw = (background: string) =>
    sharp({ create: { width: 64, height: 48, channels: 3, background } })
      .jpeg()
      .toBuffer();
  const map = withSegments(await draw('#fff'), [
    xmp('<rdf:Description hdrgm:Version="1.0" hdrgm:GainMapMax="2" hdrgm:HDRCapacityMax="2"/>'),
  ]);
  const items = [
    '<Container:Item Item:Semantic="Primary" Item:Mime="image/jpeg"/>',
    `<Container:Item Item:Semantic="GainMap" Item:Mime="image/jpeg" Item:Length="${map.length}"/>`,
  ].map((item) => `<rdf:li rdf:parseType="Resource">${item}</rdf:li>`);
  const about = xmp(
    `<rdf:Description hdrgm:Version="1.0"><Container:Directory><rdf:Seq>${items.join('')}</rdf:Seq></Container:Directory></rdf:Description>`,
  );
  const image = await draw('#888');
  const size = image.length + about.length + multiPictureSize;
  const pictures = multiPicture(size, map.length, 2 + about.length);
  return Buffer.concat([withSegments(image, [about, pictures]), map]);
}

function withSegments(jpeg: Buffer, segments: readonly Buffer[]): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
}

function xmp(description: string): Buffer {
  const packet = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ${namespaces}>${description}</rdf:RDF></x:xmpmeta>`;
  return segment(0xe1, Buffer.from(`http://ns.adobe.com/xap/1.0/\0${packet}`, 'latin1'));
}

function segment(marker: number, data: Buffer): Buffer {
  const header = Buffer.from([0xff, marker, 0, 0]);
  header.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([header, data]);
}

const multiPictureSize = 90;

/** The list of two images in a file (CIPA DC-007): their sizes, and where the second one begins. */
function multiPicture(first: number, second: number, at: number): Buffer {
  const data = Buffer.alloc(multiPictureSize - 4);
  data.write('MPF\0MM\0*\0\0\0\x08\0\x03', 'latin1');
  const entries = [
    ['b00000070000000430313030', 14],
    ['b00100040000000100000002', 26],
    ['b00200070000002000000032', 38],
  ] as const;
  for (const [hex, place] of entries) data.write(hex, place, 'hex');
  // The second place counts from the byte order, eight bytes after the segment's marker.
  for (const [index, value] of [0x030000, first, 0, 0, 0, second, first - (at + 8)].entries())
    data.writeUInt32BE(value, 54 + 4 * index);
  return segment(0xe2, data);
}
