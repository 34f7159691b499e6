import sharp from 'sharp';

/** Whether a text is a colour in one of CSS's forms, as sharp reads them. */
export function isColour(text: string): boolean {
  try {
    sharp({ create: { width: 1, height: 1, channels: 3, background: text } });
    return true;
  } catch {
    return false;
  }
}
