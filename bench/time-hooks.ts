import { writeFileSync } from 'node:fs';
import type { AstroIntegration } from 'astro';
import { type Renderer, rendererKey } from '../src/astro/renderer.ts';

type AnyFunction = (...parameters: never[]) => unknown;

/** The milliseconds of a build that our code took. */
export interface HookTimes {
  /** Time with at least one hook or component call in progress. */
  readonly all: number;
  /** By hook name; `components` for calls of components. */
  readonly parts: Readonly<Record<string, number>>;
}

/**
 * The integration with timers around its hooks, around those of the integration that it adds, and
 * around the calls of components. Writes {@link HookTimes} when the process ends.
 */
export function timeHooks(integration: AstroIntegration, file: string): AstroIntegration {
  const parts: Record<string, number> = {};
  let all = 0;
  let underWay = 0;
  let begun = 0;
  process.on('exit', () => writeFileSync(file, JSON.stringify({ all, parts })));

  function timed<T extends AnyFunction>(name: string, act: T): T {
    const run = async (...parameters: Parameters<T>) => {
      const start = performance.now();
      if (underWay === 0) begun = start;
      underWay += 1;
      try {
        return await act(...parameters);
      } finally {
        const end = performance.now();
        underWay -= 1;
        if (underWay === 0) all += end - begun;
        parts[name] = (parts[name] ?? 0) + end - start;
      }
    };
    return run as unknown as T;
  }

  function withClock({ name, hooks }: AstroIntegration): AstroIntegration {
    const entries = Object.entries(hooks).map(([hook, act]) => [
      hook,
      timed(hook, act as AnyFunction),
    ]);
    return { name, hooks: Object.fromEntries(entries) };
  }

  const { name, hooks } = withClock(integration);
  const setup = hooks['astro:config:setup'];
  const done = hooks['astro:config:done'];
  return {
    name,
    hooks: {
      ...hooks,
      'astro:config:setup': async (given) => {
        const updateConfig: typeof given.updateConfig = (config) => {
          const integrations = config.integrations as AstroIntegration[] | undefined;
          return given.updateConfig(
            integrations ? { ...config, integrations: integrations.map(withClock) } : config,
          );
        };
        await setup?.({ ...given, updateConfig });
      },
      'astro:config:done': async (given) => {
        await done?.(given);
        const renderer: Renderer = Reflect.get(globalThis, Symbol.for(rendererKey));
        renderer.asset = timed('components', renderer.asset);
      },
    },
  };
}
