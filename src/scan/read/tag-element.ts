import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';
import type { Element, Properties } from 'hast';
import { type AttributeName, attributeNames, type Tag } from './read-tag.ts';
import { tagNames, tagNumberOf } from './tag-rules.ts';

const title = tagNumberOf('title');

/** The element of a tag as rehype gives it, with the attributes that a scan reads, and its text. */
export function toElement(bytes: Buffer, tag: Tag, number: number, textEnd: number): Element {
  const properties: Properties = {};
  for (let index = 0; tag.attributes >> index !== 0; index += 1) {
    if ((tag.attributes & (1 << index)) === 0) continue;
    const name = attributeNames[index] as AttributeName;
    const value = decode(
      bytes,
      tag.from[index] as number,
      tag.to[index] as number,
      decodeHTMLAttribute,
    );
    if (name === 'rel' || name === 'httpEquiv') properties[name] = words(value);
    else properties[name] = value;
  }
  const value = decode(bytes, tag.end, textEnd, number === title ? decodeHTML : asWritten);
  const tagName = tagNames[number] || nameOf(bytes, tag);
  return {
    type: 'element',
    tagName,
    properties,
    children: value === '' ? [] : [{ type: 'text', value }],
  };
}

function decode(
  bytes: Buffer,
  from: number,
  to: number,
  decodeEntities: (text: string) => string,
): string {
  const text = bytes.toString('utf8', from, to);
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
  return lines.includes('&') ? decodeEntities(lines) : lines;
}

function asWritten(text: string): string {
  return text;
}

function nameOf(bytes: Buffer, { nameFrom, nameTo }: Tag): string {
  return bytes.toString('utf8', nameFrom, nameTo).toLowerCase();
}

/** A list of words as hast has it. */
function words(value: string): string[] {
  const text = value.trim();
  return text === '' ? [] : text.split(/[ \t\n\r\f]+/);
}
