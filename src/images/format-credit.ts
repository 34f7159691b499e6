import type { Credit } from './read-credit.ts';

/** Creator and copyright as XMP, the one metadata that every published format but GIF can hold. */
export function formatCredit({ creators, copyright }: Credit): string {
  const creator =
    creators.length > 0
      ? `<dc:creator><rdf:Seq>${creators.map((name) => `<rdf:li>${escapeXml(name)}</rdf:li>`).join('')}</rdf:Seq></dc:creator>`
      : '';
  const rights =
    copyright === undefined
      ? ''
      : `<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">${escapeXml(copyright)}</rdf:li></rdf:Alt></dc:rights>`;
  return `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">${creator}${rights}</rdf:Description></rdf:RDF></x:xmpmeta>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
