/** What a field needs of the site's React. */
declare module 'react' {
  type Element = { type: string; props: unknown; key: string | null };
  export function createElement(type: string, props: object | null, ...more: unknown[]): Element;
  export function useEffect(effect: () => void): void;
  export function useRef<Value>(value: null): { current: Value | null };
}
