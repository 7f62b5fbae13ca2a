import type { Disposable } from '@slipway/base';
import type { AdmissionPlugin, AdmissionRequest } from './admission.js';

/** The plugins every write passes, in order. Plugins come and go while the server runs (in-process kinds register theirs). */
export class AdmissionChain {
  #plugins: readonly AdmissionPlugin[] = [];

  add(plugin: AdmissionPlugin): Disposable {
    this.#plugins = [...this.#plugins, plugin];
    return { dispose: () => void (this.#plugins = this.#plugins.filter((other) => other !== plugin)) };
  }

  /** True when some mutating plugin wants to see the request: without one, the object need not be normalised again. */
  mutates(request: AdmissionRequest): boolean {
    return this.#plugins.some((plugin) => plugin.mutate !== undefined && plugin.handles(request));
  }

  /** Early refusals and mutations, in the order of the plugins. */
  async mutate(request: AdmissionRequest): Promise<void> {
    for (const plugin of this.#plugins) {
      if ((plugin.refuse === undefined && plugin.mutate === undefined) || !plugin.handles(request)) continue;
      await plugin.refuse?.(request);
      await plugin.mutate?.(request);
    }
  }

  async validate(request: AdmissionRequest): Promise<void> {
    for (const plugin of this.#plugins) {
      if (plugin.validate !== undefined && plugin.handles(request)) await plugin.validate(request);
    }
  }

  /** The write that was let in did not happen. */
  release(request: AdmissionRequest): void {
    for (const plugin of this.#plugins) {
      if (plugin.release !== undefined && plugin.handles(request)) plugin.release(request);
    }
  }
}
