/** The states of one image, with undo and redo. */
export interface History<State> {
  now(): State;
  /** Adds a state, and drops those that were undone. `amend` replaces the newest instead. */
  add(state: State, options?: { amend: boolean }): void;
  undo(): void;
  redo(): void;
  canUndo(): boolean;
  canRedo(): boolean;
}

export function createHistory<State>(first: State): History<State> {
  let states = [first];
  let at = 0;
  const now = () => states[at] as State;
  return {
    now,
    add(state, { amend } = { amend: false }) {
      // The first state is what Reset and undo lead back to.
      if (amend && at > 0) at -= 1;
      states = [...states.slice(0, at + 1), state];
      at += 1;
    },
    undo() {
      at = Math.max(0, at - 1);
    },
    redo() {
      at = Math.min(states.length - 1, at + 1);
    },
    canUndo: () => at > 0,
    canRedo: () => at < states.length - 1,
  };
}
