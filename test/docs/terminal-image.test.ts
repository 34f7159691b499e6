import { expect, test } from 'vitest';
import { terminalImage } from '../../scripts/terminal-image.ts';

const picture = (output: string) => terminalImage({ command: 'plan', output, columns: 40 });

test('an image of a terminal shows each line with its colours', () => {
  const svg = picture(
    '\u001b[1mHarbour\u001b[22m  \u001b[2m/\u001b[22m\r\n  \u001b[32m+\u001b[39m 4711\r\n',
  );
  expect(svg).toContain(
    '<tspan xml:space="preserve" class="bold">Harbour</tspan><tspan xml:space="preserve">  </tspan><tspan xml:space="preserve" class="dim">/</tspan></text>',
  );
  expect(svg).toContain('class="green">+</tspan><tspan xml:space="preserve"> 4711</tspan></text>');
  expect(svg).not.toContain('\u001b');
});

test('output is text without markup', () => {
  expect(picture('<a> & b')).toContain('&lt;a&gt; &amp; b');
});

test('an unsupported code is an error, and not left out', () => {
  expect(() => picture('\u001b[45mx')).toThrow('45');
});

test('each line adds to the height', () => {
  const height = (svg: string) => Number(/height="(\d+)"/.exec(svg)?.[1]);
  expect(height(picture('a\n\nb')) - height(picture('a'))).toBe(40);
});
