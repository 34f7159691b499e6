/** Accepts files that are dropped on a zone. While it's shown, no drop opens a file in the browser. */
export function acceptFiles(
  zone: HTMLElement,
  options: { announce(message: string): void; onFiles(files: readonly File[]): void },
): void {
  for (const name of ['dragenter', 'dragover', 'dragleave', 'drop'] as const)
    window.addEventListener(name, (event) => {
      const { dataTransfer } = event;
      if (!dataTransfer?.types.includes('Files') || !zone.checkVisibility()) return;
      const isInside = event.composedPath().includes(zone);
      // Between two elements, something is left, too.
      if (name === 'dragleave' && event.relatedTarget) return;
      zone.classList.toggle('dropping', isInside && name.endsWith('er'));
      // The page may take files itself.
      if (!isInside && event.defaultPrevented) return;
      event.preventDefault();
      if (!isInside) dataTransfer.dropEffect = 'none';
      else if (name === 'drop') take(dataTransfer);
    });

  function take({ items }: DataTransfer): void {
    const dropped = [...items].filter(({ kind }) => kind === 'file');
    const files = dropped.filter((item) => !item.webkitGetAsEntry()?.isDirectory);
    if (files.length < dropped.length)
      options.announce('Folders can’t be dropped. Open the folder, and drop its files.');
    options.onFiles(files.flatMap((item) => item.getAsFile() ?? []));
  }
}
