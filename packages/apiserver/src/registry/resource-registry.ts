import type { Disposable } from '@slipway/base';
import { Endpoint } from './endpoint.js';
import type { RegistryDependencies } from './dependencies.js';
import type { Registry, ResourceDefinition, ResourceEndpoint } from '../contract/index.js';

/** The served resources. Replacing a definition replaces its endpoints immediately and ends their watches. */
export class ResourceRegistry implements Registry {
  readonly #dependencies: RegistryDependencies;
  readonly #definitions = new Map<string, ResourceDefinition>();
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #kinds = new Map<string, ResourceEndpoint>();
  readonly #listeners = new Set<() => void>();
  #ordered: readonly ResourceDefinition[] = [];
  #generation = 0;

  constructor(dependencies: RegistryDependencies) {
    this.#dependencies = dependencies;
  }

  get generation(): number {
    return this.#generation;
  }

  /** Serves the definition, replacing an earlier one of the same resource. */
  install(definition: ResourceDefinition): void {
    this.#forget(keyOf(definition));
    this.#definitions.set(keyOf(definition), definition);
    for (const version of definition.versions) {
      if (!version.served) continue;
      const endpoint = new Endpoint(this.#dependencies, definition, version);
      this.#endpoints.set(`${definition.group}/${version.name}/${definition.plural}`, endpoint);
      this.#kinds.set(`${definition.group}/${version.name}/${definition.kind}`, endpoint);
    }
    this.#changed();
  }

  remove(group: string, plural: string): void {
    if (!this.#definitions.has(`${group}/${plural}`)) return;
    this.#forget(`${group}/${plural}`);
    this.#changed();
  }

  endpoint(group: string, version: string, plural: string): ResourceEndpoint | undefined {
    return this.#endpoints.get(`${group}/${version}/${plural}`);
  }

  endpointForKind(group: string, version: string, kind: string): ResourceEndpoint | undefined {
    return this.#kinds.get(`${group}/${version}/${kind}`);
  }

  definition(group: string, plural: string): ResourceDefinition | undefined {
    return this.#definitions.get(`${group}/${plural}`);
  }

  definitions(): readonly ResourceDefinition[] {
    return this.#ordered;
  }

  onChange(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  #forget(key: string): void {
    const definition = this.#definitions.get(key);
    if (definition === undefined) return;
    this.#definitions.delete(key);
    for (const version of definition.versions) {
      const path = `${definition.group}/${version.name}/${definition.plural}`;
      this.#endpoints.get(path)?.retire();
      this.#endpoints.delete(path);
      this.#kinds.delete(`${definition.group}/${version.name}/${definition.kind}`);
    }
  }

  #changed(): void {
    const all = [...this.#definitions.values()];
    this.#ordered = [...all.filter((one) => !one.custom), ...all.filter((one) => one.custom)];
    this.#generation += 1;
    for (const listener of this.#listeners) listener();
  }
}

function keyOf(definition: ResourceDefinition): string {
  return `${definition.group}/${definition.plural}`;
}
