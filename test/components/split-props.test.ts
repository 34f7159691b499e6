import { expect, test } from 'vitest';
import { splitProps } from '../../src/components/split-props.ts';

test('props of the request and attributes of the element come apart, and nothing is lost', () => {
  const request = { id: 4711, alt: 'The quay', widths: [320], sizes: '50vw', crop: undefined };
  const attributes = { class: 'wide', 'data-anything': '1', priority: true, constructor: 'x' };
  expect(splitProps({ ...attributes, ...request })).toEqual({ request, attributes });
});

test('props without attributes give none', () => {
  expect(splitProps({ id: 4711, alt: '' })).toEqual({
    request: { id: 4711, alt: '' },
    attributes: {},
  });
});
