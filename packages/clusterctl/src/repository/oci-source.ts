import type { OciRegistry } from './oci-registry.js';
import type { ReleaseSource } from './release-source.js';

/** Reads releases from tags of an OCI repository. Tags cannot contain a plus sign, so `v1.2.3+a` is tagged `v1.2.3_a`. */
export class OciSource implements ReleaseSource {
  readonly #registry: OciRegistry;
  readonly #repository: string;

  constructor(registry: OciRegistry, repository: string) {
    this.#registry = registry;
    this.#repository = repository;
  }

  async versions(): Promise<readonly string[]> {
    return (await this.#registry.tags(this.#repository)).map((tag) => tag.replace('_', '+'));
  }

  read(version: string, file: string): Promise<string | undefined> {
    return this.#registry.readFile(this.#repository, version.replace('+', '_'), file);
  }

  describe(version: string, file: string): string {
    return `${file} in the artifact ${this.#repository}:${version.replace('+', '_')}`;
  }
}
