import { ClusterctlError } from '../clusterctl-error.js';
import { fetchText, type FetchDependencies } from '../fetch/index.js';
import type { ReleaseSource } from './release-source.js';

/**
 * Reads releases from a mirror of a local repository behind a web server. Web servers cannot list directories, so the versions
 * are listed in `<label>/versions.json`, which `slipway release` writes. Without it, only the version in the URL is available.
 */
export class HttpsSource implements ReleaseSource {
  readonly #base: string;
  readonly #namedVersion: string;
  readonly #dependencies: FetchDependencies;

  /** `base` includes the provider label. */
  constructor(base: string, namedVersion: string, dependencies: FetchDependencies) {
    this.#base = base;
    this.#namedVersion = namedVersion;
    this.#dependencies = dependencies;
  }

  async versions(): Promise<readonly string[]> {
    const address = `${this.#base}/versions.json`;
    const text = await fetchText(address, this.#dependencies);
    if (text !== undefined) return parseVersions(text, address);
    if (this.#namedVersion !== 'latest') return [this.#namedVersion];
    throw new ClusterctlError(`cannot determine the latest version: ${address} not found`, {
      remedy: 'specify a version in the provider URL, or publish the file as a JSON list of versions',
    });
  }

  read(version: string, file: string): Promise<string | undefined> {
    return fetchText(this.describe(version, file), this.#dependencies);
  }

  describe(version: string, file: string): string {
    return `${this.#base}/${encodeURIComponent(version)}/${encodeURIComponent(file)}`;
  }
}

function parseVersions(text: string, address: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
  } catch {
    // The error below covers this case.
  }
  throw new ClusterctlError(`${address} is not a JSON list of versions`);
}
