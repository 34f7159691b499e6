import { createElement, useEffect, useRef } from 'react';
import type { MediaAssetField } from '../picker/media-asset-field.ts';
import { type PickedAsset, pickedAsset } from '../picker/picked-asset.ts';

type Value = PickedAsset | null;
type Stored = string | number | { readonly [key: string]: Stored };

/**
 * A field of Keystatic for an image of the service: a `BasicFormField`, whose types the site has.
 * @param options.endpoint the site's base. @default '/'
 */
export function mediaAsset(options: {
  label: string;
  description?: string;
  endpoint?: string;
  validation?: { isRequired?: boolean };
}) {
  const { label, description, endpoint = '/' } = options;
  const isRequired = options.validation?.isRequired === true;
  const [missing, required] = [`${label} is required`, isRequired ? { required: '' } : {}];
  function Input(props: { value: Value; onChange(value: Value): void; forceValidation: boolean }) {
    const { value, onChange, forceValidation } = props;
    const field = useRef<MediaAssetField>(null);
    useEffect(() => {
      // Not in the server, which loads Keystatic's config too.
      void import('../picker/media-asset-field.ts');
      if (!field.current) return;
      field.current.value = value;
      field.current.onchange = (event) => onChange((event as CustomEvent<Value>).detail ?? null);
    });
    return createElement(
      'div',
      { style: { display: 'grid', gap: 8, font: '14px system-ui, sans-serif' } },
      createElement('span', { style: { fontWeight: 600 } }, label),
      description && createElement('span', null, description),
      createElement('media-asset-field', { ref: field, label, endpoint, ...required }),
      forceValidation && isRequired && !value && createElement('p', { role: 'alert' }, missing),
    );
  }

  return {
    kind: 'form' as const,
    label,
    Input,
    defaultValue: (): Value => null,
    /** Keystatic doesn't open an entry with a value that it would lose. */
    parse(stored: unknown): Value {
      const value = pickedAsset(stored);
      if (!value && (stored ?? '') !== '') throw new Error('An asset is an object with an `id`');
      return value ?? null;
    },
    serialize: (value: Value) => ({ value: (value ?? undefined) as Stored | undefined }),
    validate(value: Value): Value {
      if (isRequired && !value) throw new Error(missing);
      return value;
    },
    reader: { parse: (stored: unknown): Value => pickedAsset(stored) ?? null },
  };
}
