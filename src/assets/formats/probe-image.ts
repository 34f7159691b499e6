import { open, readFile, stat } from 'node:fs/promises';
import sax from 'sax';
import type { Metadata } from 'sharp';
import { isMediaAssetError, mediaAssetError } from '../../errors/errors.ts';
import { namespaces } from './credit.ts';
import {
  decodedBytes,
  freeBytes,
  largestImage,
  longestDecoding,
  mostPixels,
  whileDecoding,
} from './decoding-memory.ts';
import { xmpOfGif } from './embed-xmp.ts';
import { readGif } from './read-gif.ts';
import { parseXml, readXmp } from './read-xmp.ts';
import { applyReading, inspectImage, withAvifBrand } from './reading.ts';
import type { Size } from './rendition.ts';
import { sharp } from './sharp.ts';
import { type RasterKind, rasterKinds, sniffBytes, sniffedBytes } from './sniff-bytes.ts';
import type { ImageFacts } from './source.ts';
import { readSourceType } from './source-types.ts';

/** Kinds whose pages are animation frames. */
const animatedKinds: readonly string[] = ['gif', 'webp'];

type Probed = Omit<ImageFacts, 'fetchedAt'>;

interface Proof extends Pick<Probed, 'width' | 'height' | 'reading' | 'animated'> {
  readonly bytes: Buffer;
  readonly failOn: 'error' | 'warning';
}

/** Reads all pixels of an image, whose hash is given. Throws if one is damaged. */
export type Prove = (hash: string) => (image: Buffer | string, proof: Proof) => Promise<unknown>;

/**
 * Proves that all of an image file can be decoded. `what` names the file in messages.
 *
 * @param decode reads all pixels, and throws if one is damaged
 */
export async function probeImage(
  file: string,
  what: string,
  decode: ReturnType<Prove> = decodeSmall,
): Promise<Probed> {
  const { kind: expected, isSvg, description } = sniffBytes(await readStart(file));
  const notAnImage = (received: string, cause?: unknown) =>
    mediaAssetError('download-not-a-picture', { what, received }, { cause });
  if (isSvg) return probeSvgFile(file, what, notAnImage);
  // Nothing else may reach a decoder. An SVG, for example, could refer to other files.
  if (expected === undefined) throw notAnImage(description);
  const damaged = (thrown: unknown): never => {
    if (isMediaAssetError(thrown)) throw thrown;
    throw notAnImage(`${description} that is damaged or incomplete`, thrown);
  };
  const input = expected === 'avif' ? withAvifBrand(await readFile(file)) : file;
  const metadata = await sharp(input, { limitInputPixels: false }).metadata().catch(damaged);
  const kind = kindOf(metadata);
  if (kind === undefined) throw notAnImage(`${description} of an unsupported type`);
  const { width, height } = displayedSize(metadata);
  const limit = mostPixels(metadata);
  if (width * height > limit) {
    const size = `${width} × ${height} pixels`;
    throw mediaAssetError('picture-too-large', { what, size, limit });
  }
  const found = await whileDecoding(decodedBytes(metadata), async () => {
    const bytes = await readFile(file);
    const { unread, hidesDamage, ...inspected } = inspectImage(bytes, metadata);
    const { reading = null, isStill, hasGainMap = false } = inspected;
    if (unread) throw notAnImage(unread);
    await decode(reading ? await applyReading(bytes, reading) : input, {
      ...{ bytes, width, height, reading, animated: isAnimation(metadata) },
      failOn: hidesDamage ? 'warning' : 'error',
    });
    const marks = readMarks(bytes, metadata);
    freeBytes(bytes);
    return { ...marks, reading, isStill, hasGainMap };
  }).catch(damaged);
  return {
    ...{ kind, width, height, ...found },
    animated: isAnimation(metadata),
    transparent: metadata.hasAlpha || found.reading?.as === 'canvas',
  };
}

/** The C2PA specification: how the description of a manifest store begins, in every kind of file. */
const manifestStart = Buffer.concat([
  Buffer.from('jumd'),
  Buffer.from('6332706100110010800000aa00389b71', 'hex'),
]);

/** What an image that a decoder can open says about its origin. */
export function readMarks(
  bytes: Buffer,
  { format, xmp }: Pick<Metadata, 'format' | 'xmp'>,
): Pick<ImageFacts, 'digitalSourceType' | 'hasManifest'> {
  if (format === 'gif' && !readGif(bytes).isWhole) throw new Error('A part of the GIF is missing.');
  const own = format === 'gif' ? xmpOfGif(bytes) : xmp;
  return {
    digitalSourceType: sourceTypeIn(own?.toString() ?? ''),
    hasManifest: bytes.includes(manifestStart),
  };
}

export function sourceTypeIn(xmp: string): string | undefined {
  const types = readXmp(xmp)(`${namespaces.Iptc4xmpExt}DigitalSourceType`);
  return types.map(readSourceType).find((term) => term !== undefined);
}

/**
 * Decodes a JPEG at an eighth of its size, which still reads all of its bytes. The first rendition can't
 * check them instead: a page decides while it renders whether an image is unavailable, a broken version
 * must not replace a cached one, and some builds make no rendition.
 */
export function decodeSmall(image: Buffer | string, { failOn }: Pick<Proof, 'failOn'>) {
  return sharp(image, { failOn, limitInputPixels: largestImage })
    .timeout({ seconds: longestDecoding })
    .resize(16, 16, { fit: 'inside' })
    .raw()
    .toBuffer();
}

/** Whether its EXIF orientation applies. Browsers ignore that of a WebP; so do we. */
export function isTurned({ format, orientation = 1 }: Metadata): boolean {
  return format !== 'webp' && orientation > 1;
}

/** Whether an image has frames. */
function isAnimation({ format, pages = 1 }: Metadata): boolean {
  return pages > 1 && animatedKinds.includes(format);
}

/** The size of an image, or of a frame, as displayed. */
export function displayedSize(metadata: Metadata): Size {
  const { width, height } = isTurned(metadata) ? metadata.autoOrient : metadata;
  return { width, height };
}

async function probeSvgFile(
  file: string,
  what: string,
  notAnImage: (received: string, cause: unknown) => Error,
): Promise<Probed> {
  const { size } = await stat(file);
  if (size > largestSvg) {
    const details = { what, size: `${size} bytes`, limit: largestSvg };
    throw mediaAssetError('picture-too-large', details);
  }
  try {
    const { width, height } = probeSvg(await readFile(file));
    const facts = { animated: false, isStill: false, transparent: true };
    const marks = { reading: null, hasManifest: false, hasGainMap: false };
    return { kind: 'svg', width, height, ...facts, ...marks };
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw notAnImage(`an invalid SVG: ${reason}`, thrown);
  }
}

function kindOf({ format, compression }: Metadata): RasterKind | undefined {
  if (format === 'heif') return compression === 'av1' ? 'avif' : undefined;
  return rasterKinds.find((kind) => kind === format);
}

export async function readStart(file: string): Promise<Uint8Array> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** The size that browsers use for an SVG without one. */
const defaultSize: Size = { width: 300, height: 150 };

const longestSide = 65_535;

/** CSS pixels per absolute unit. */
const units: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 96 / 72,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
};

/** The size of an SVG in pixels, from its `width`, `height` and `viewBox`, as browsers compute it. */
export function probeSvg(bytes: Uint8Array): Size {
  const root = parseSvg(bytes);
  const box = boxOf(root.get('viewBox'));
  const own = { width: lengthOf(root.get('width')), height: lengthOf(root.get('height')) };
  const ratio = box && box.width / box.height;
  const width = own.width ?? (own.height && ratio ? own.height * ratio : box?.width);
  const height = own.height ?? (own.width && ratio ? own.width / ratio : box?.height);
  const size = { width: width ?? defaultSize.width, height: height ?? defaultSize.height };
  const scale = Math.min(1, longestSide / size.width, longestSide / size.height);
  return {
    width: Math.max(1, Math.round(size.width * scale)),
    height: Math.max(1, Math.round(size.height * scale)),
  };
}

/** In pixels; `undefined` for lengths that depend on the page, such as `100%`, and for invalid ones. */
function lengthOf(text: string | undefined): number | undefined {
  const [, number, unit = ''] = /^\s*\+?([\d.]+(?:e[+-]?\d+)?)([a-z]*)\s*$/i.exec(text ?? '') ?? [];
  const length = Number(number) * (units[unit.toLowerCase()] ?? Number.NaN);
  return Number.isFinite(length) && length > 0 ? length : undefined;
}

function boxOf(text: string | undefined): Size | undefined {
  const [, , width = 0, height = 0, ...others] = (text ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const isBox = others.length === 0 && Number.isFinite(width) && Number.isFinite(height);
  return isBox && width > 0 && height > 0 ? { width, height } : undefined;
}

const svgNamespace = 'http://www.w3.org/2000/svg';

/** More than real SVGs have, and few enough to parse quickly. */
const most = { levels: 500, attributes: 500 };

const tooManyAttributes = new RegExp(
  `<[^<>"']*(?:"[^"]*"[^<>"']*|'[^']*'[^<>"']*){${most.attributes + 1}}`,
);

/** Entities that drawing programs declare for namespaces. A longer value could fill the memory. */
const entity = /<!ENTITY\s+([\w.-]+)\s+(?:"([^"<&%]{0,1000})"|'([^'<&%]{0,1000})')\s*>/g;

/**
 * Parses a whole SVG, and returns the attributes of its root that have no namespace. Throws an `Error`
 * that says what is wrong with the SVG.
 */
export function parseSvg(bytes: Uint8Array): ReadonlyMap<string, string> {
  const parser = sax.parser(true, { xmlns: true });
  let root: sax.QualifiedTag | undefined;
  let levels = 0;
  parser.onopentag = (opened) => {
    const tag = opened as sax.QualifiedTag;
    if (!root && (tag.local !== 'svg' || tag.uri !== svgNamespace)) {
      throw new Error("its root isn't an `svg` element in the SVG namespace");
    }
    root ??= tag;
    levels += 1;
    if (levels > most.levels) throw new Error('its elements are nested too deeply');
  };
  parser.onclosetag = () => {
    levels -= 1;
  };
  // External entities stay unknown.
  parser.ondoctype = (doctype) => {
    for (const [, name = '', one, other] of doctype.matchAll(entity))
      parser.ENTITIES[name] = one ?? other ?? '';
  };
  parser.onerror = ({ message }) => {
    throw new Error(`it isn't well-formed XML (${message.split('\n').join(', ')})`);
  };
  const text = decode(bytes);
  // The parser compares each attribute with all others of its element.
  if (tooManyAttributes.test(text)) throw new Error('one of its elements has too many attributes');
  parseXml(parser, text);
  if (!root) throw new Error("it's empty");
  const own = Object.values(root.attributes).filter(({ uri }) => uri === '');
  return new Map(own.map(({ local, value }) => [local, value]));
}

/** The most bytes of an SVG. */
const largestSvg = 5 * 1024 ** 2;

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Error("it isn't valid UTF-8", { cause });
  }
}
