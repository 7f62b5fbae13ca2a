import { ClusterctlError } from '../clusterctl-error.js';
import type { ClusterctlConfig } from '../config/index.js';
import { labelOf, type ProviderConfig } from '../provider/index.js';
import { LocalSource } from './local-source.js';
import { metadataFile, parseMetadata, type ReleaseMetadata } from './metadata.js';
import type { ReleaseSource } from './release-source.js';
import { join } from 'node:path';

interface ProviderRepositoryOptions {
  readonly provider: ProviderConfig;
  readonly source: ReleaseSource;
  readonly defaultVersion: string;
  readonly componentsFile: string;
  readonly config: ClusterctlConfig;
}

/** The releases of one provider, with the user's overrides. */
export class ProviderRepository {
  readonly provider: ProviderConfig;
  /** The version in the URL, or the latest. */
  readonly defaultVersion: string;
  readonly componentsFile: string;
  readonly #source: ReleaseSource;
  readonly #config: ClusterctlConfig;

  constructor({ provider, source, defaultVersion, componentsFile, config }: ProviderRepositoryOptions) {
    this.provider = provider;
    this.defaultVersion = defaultVersion;
    this.componentsFile = componentsFile;
    this.#source = source;
    this.#config = config;
  }

  versions(): Promise<readonly string[]> {
    return this.#source.versions();
  }

  /** Returns a file of a release, or the override of the user. Undefined if neither exists. */
  async find(version: string, file: string): Promise<string | undefined> {
    const overrides = new LocalSource(join(this.#config.overridesFolder(), labelOf(this.provider)));
    return (await overrides.read(version, file)) ?? this.#source.read(version, file);
  }

  async read(version: string, file: string): Promise<string> {
    const text = await this.find(version, file);
    if (text !== undefined) return text;
    throw new ClusterctlError(
      `failed to read "${file}" from the repository for provider "${labelOf(this.provider)}", version ${version}: file not found`,
      { remedy: `check that the repository contains ${this.#source.describe(version, file)}` },
    );
  }

  async metadata(version: string): Promise<ReleaseMetadata> {
    return parseMetadata(await this.read(version, metadataFile), labelOf(this.provider));
  }
}
