import type { Client, ObjectKey } from '../client/client.js';
import type { Resource } from '../client/resource.js';

const limit = 10_000;

/**
 * The resourceVersions that applies have returned, by object. If a repeated apply returns the same resourceVersion, it changed
 * nothing: this avoids a read before each apply. Holds the latest 10,000 objects of a client.
 */
export class AppliedVersions {
  static readonly #byClient = new WeakMap<Client, AppliedVersions>();
  readonly #versions = new Map<string, string>();

  static of(client: Client): AppliedVersions {
    let versions = AppliedVersions.#byClient.get(client);
    if (versions === undefined) AppliedVersions.#byClient.set(client, (versions = new AppliedVersions()));
    return versions;
  }

  get(resource: Resource, key: ObjectKey): string | undefined {
    return this.#versions.get(idOf(resource, key));
  }

  note(resource: Resource, key: ObjectKey, version: string | undefined): void {
    const id = idOf(resource, key);
    this.#versions.delete(id);
    if (version !== undefined) this.#versions.set(id, version);
    const [oldest] = this.#versions.keys();
    if (this.#versions.size > limit && oldest !== undefined) this.#versions.delete(oldest);
  }
}

function idOf({ group, plural }: Resource, { namespace, name }: ObjectKey): string {
  return `${group}/${plural}/${namespace}/${name}`;
}
