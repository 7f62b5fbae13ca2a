import type { BuiltinProvider } from '../builtin/index.js';
import type { ReleaseSource } from './release-source.js';

/** What this program brings along: one version, no network. */
export class BuiltinSource implements ReleaseSource {
  readonly #provider: BuiltinProvider;

  constructor(provider: BuiltinProvider) {
    this.#provider = provider;
  }

  versions(): Promise<readonly string[]> {
    return Promise.resolve([this.#provider.version]);
  }

  async read(version: string, file: string): Promise<string | undefined> {
    const { version: own, files } = this.#provider;
    return version === own && Object.hasOwn(files, file) ? files[file]?.() : undefined;
  }

  describe(version: string, file: string): string {
    return `${file} of ${this.#provider.name} ${version}, built into slipway ${this.#provider.version}`;
  }
}
