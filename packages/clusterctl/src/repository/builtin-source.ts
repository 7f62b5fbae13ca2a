import type { ProviderType } from '../provider/index.js';
import type { ReleaseSource } from './release-source.js';

/** A provider that this program brings along: the files of its one release. */
export interface BuiltinProvider {
  readonly name: string;
  readonly type: ProviderType;
  readonly version: string;
  /** Texts by name; made when they are asked for, since definitions are large. */
  readonly files: Readonly<Record<string, () => string | Promise<string>>>;
}

/** Files of which there are several to choose from, by what stands between this and the ending. */
const flavorPrefixes = ['cluster-template-', 'clusterclass-'];

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
    const { name, version: own, files } = this.#provider;
    const looked = `${file} of ${name} ${version}, built into slipway ${own}`;
    const prefix = flavorPrefixes.find((each) => file.startsWith(each));
    if (prefix === undefined) return looked;
    const known = Object.keys(files).filter((each) => each.startsWith(prefix));
    return `${looked}; there are ${known.map((each) => each.slice(prefix.length, -'.yaml'.length)).join(', ')}`;
  }
}
