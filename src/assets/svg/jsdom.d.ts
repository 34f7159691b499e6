/** The parts of jsdom that we use. Its own types add the browser's globals to every file. */
declare module 'jsdom' {
  interface XmlAttribute {
    readonly name: string;
    value: string;
  }

  interface XmlElement {
    readonly localName: string;
    readonly attributes: Iterable<XmlAttribute>;
    readonly children: Iterable<XmlElement>;
    textContent: string | null;
    getAttribute(name: string): string | null;
    setAttribute(name: string, value: string): void;
    removeAttributeNode(attribute: XmlAttribute): void;
    append(...nodes: (XmlElement | string)[]): void;
    remove(): void;
    querySelectorAll(selector: string): Iterable<XmlElement>;
  }

  interface XmlDocument {
    readonly documentElement: XmlElement;
    createElementNS(namespace: string, name: string): XmlElement;
  }

  interface DOMWindow {
    readonly DOMParser: new () => { parseFromString(text: string, type: string): XmlDocument };
    readonly XMLSerializer: new () => { serializeToString(element: XmlElement): string };
  }

  class JSDOM {
    constructor(html: string);
    readonly window: DOMWindow;
  }
}
