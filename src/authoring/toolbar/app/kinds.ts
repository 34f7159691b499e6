import type { AssetKind } from '../protocol.ts';

export const kindNames: Readonly<Record<AssetKind, string>> = {
  ...{ image: 'Image', video: 'Video', audio: 'Audio', document: 'Document' },
};

/** What stands for a file that isn't an image. */
export const kindIcons = { image: '', video: '▶', audio: '♪', document: '▤' } as const;
