/** The entry of our app in Astro's dev toolbar. */
export const toolbarApp = {
  id: 'astro-media-asset',
  name: 'Media assets',
  icon: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><path d="M7 2v15h15M2 7h15v15"/><path d="m7 15 4-4 6 6"/></svg>',
  entrypoint: new URL('./app/entry.js', import.meta.url),
};
