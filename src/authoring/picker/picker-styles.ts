/** The styles of a picker's field and dialog. Their colors are the CMS's, not the system's. */
export const pickerStyles = `
:host { display: block; }
:host([hidden]) { display: none; }
.media-assets:is(.field, .picker), .media-asset-crop { color-scheme: inherit; }
.field {
  display: grid; grid-template-columns: auto 1fr; gap: 8px 12px; padding: 10px; border: 1px solid var(--line); border-radius: 8px; background: var(--ground); overflow-wrap: anywhere;
  > .thumbnail { width: 120px; height: 90px; }
  > .thumbnail[hidden] + div, > .actions { grid-column: 1 / -1; flex-wrap: wrap; }
  > .actions button { flex: 0 1 auto; }
  button:disabled { opacity: 0.5; cursor: default; }
}
.picker {
  width: min(760px, 100vw - 16px); max-width: none; height: min(760px, 100dvh - 16px); max-height: none; padding: 0; overflow: hidden; flex-direction: column; border: 1px solid var(--line); border-radius: 14px; background: var(--ground);
  &[open] { display: flex; }
  &::backdrop { background: #0d0e119e; }
  > header { display: flex; flex: none; gap: 12px; align-items: center; padding: 10px 12px; border-bottom: 1px solid var(--line); }
  .close { flex: none; margin-inline-start: auto; }
  .back { flex: none; }
  .preview { height: min(260px, 34dvh); }
  @media (width >= 600px) { .filters { grid-template-columns: repeat(3, 1fr); } }
  @media (height < 480px) { &, .content { overflow-y: auto; } .library, .scroller, .view { flex: none; overflow: visible; } }
}
`;
