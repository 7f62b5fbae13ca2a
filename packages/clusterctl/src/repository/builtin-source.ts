import type { ProviderType } from '../provider/index.js';
import type { ReleaseSource } from './release-source.js';

/** The release files of a built-in provider. */
export interface BuiltinProvider {
  readonly name: string;
  readonly type: ProviderType;
  readonly version: string;
  /** Files by name, generated on demand because CRDs are large. */
  readonly files: Readonly<Record<string, () => string | Promise<string>>>;
}

/** Prefixes of files with variants; the variant is the part between prefix and extension. */
const flavorPrefixes = ['cluster-template-', 'clusterclass-'];

/** The releases of built-in providers: one version, without network access. */
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
    return `${looked}; available files: ${known.map((each) => each.slice(prefix.length, -'.yaml'.length)).join(', ')}`;
  }
}
