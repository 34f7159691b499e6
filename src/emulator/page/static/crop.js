/** Crops an image on its page, and copies it as source code. */

import { createButton, createElement } from './scripts/authoring/crop-editor/create-element.js';
import { applyChange, describeDrawn } from './scripts/authoring/crop-editor/crop-change.js';
import { openCropEditor } from './scripts/authoring/crop-editor/crop-editor.js';
import { createCopySnippets } from './scripts/authoring/toolbar/app/copy-snippets.js';
import { createPlacement } from './scripts/authoring/toolbar/app/placement.js';

const section = document.querySelector('[data-crop]');

if (section !== null) addCropTools();

function announce(message) {
  document.querySelector('[data-announcer]').textContent = message;
}

function addCropTools() {
  const { id, width, height, alt } = section.dataset;
  const host = document.body.appendChild(document.createElement('div'));
  const root = host.attachShadow({ mode: 'open' });
  const state = createElement('p', { class: 'quiet' });
  const button = createButton('Crop', crop, 'button');
  let drawn = {};

  function crop() {
    const close = () => {
      editor.close();
      button.focus();
    };
    const editor = openCropEditor(root, {
      image: `/preview/${id}/1600.webp`,
      original: { width: Number(width), height: Number(height) },
      sources: [],
      saveLabel: 'Use this crop',
      ...drawn,
      async onSave(change) {
        drawn = applyChange(drawn, change);
        state.textContent = describeDrawn(drawn);
        announce(state.textContent);
        close();
      },
      onCancel: close,
    });
  }

  const placement = createPlacement({ record: Promise.resolve({ alt }) });
  const copy = createCopySnippets({
    // Not every site reads records, so the code has the record's text too.
    async asset() {
      const placed = await placement.read();
      return placed && { id: Number(id), alt: placed.alt, ...drawn };
    },
    announce,
  });
  for (const one of copy.querySelectorAll('button')) one.className = 'button';
  section.append(button, state, placement.element, copy);
  section.hidden = false;
}
