import type { JsonObject, JsonValue } from '@slipway/kube';
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { ClusterctlError } from '../clusterctl-error.js';
import { processTemplate } from '../envsubst/index.js';
import type { FetchDependencies } from '../fetch/index.js';
import { isSameProvider, type ProviderConfig, type ProviderType } from '../provider/index.js';
import { configFolders, readConfigFile } from './config-file.js';
import { alterImage, type ImageOverrides, readImageOverrides } from './image-overrides.js';
import { readProviders } from './providers.js';

export interface ConfigOptions {
  /** A file or an https URL. Defaults to the default path of clusterctl. */
  readonly file?: string;
  readonly env: NodeJS.ProcessEnv;
  /** Providers that are known without configuration. */
  readonly builtin: readonly ProviderConfig[];
}

export async function readConfig(options: ConfigOptions, dependencies: FetchDependencies): Promise<ClusterctlConfig> {
  return new ClusterctlConfig(await readConfigFile(options.file, options.env, dependencies), options);
}

/**
 * The configuration of clusterctl. Values set by the command take precedence over the environment, and the environment over the
 * file.
 */
export class ClusterctlConfig {
  readonly #settings: ReadonlyMap<string, JsonValue | undefined>;
  readonly #set = new Map<string, string>();
  readonly #env: NodeJS.ProcessEnv;
  readonly #providers: readonly ProviderConfig[];
  readonly #images: ImageOverrides;

  constructor(settings: JsonObject, { env, builtin }: ConfigOptions) {
    // Names in the file are case-insensitive.
    this.#settings = new Map(Object.entries(settings).map(([name, value]) => [name.toLowerCase(), value]));
    this.#env = env;
    this.#providers = readProviders(this.#settings.get('providers'), builtin, env);
    this.#images = readImageOverrides(this.#settings.get('images'));
  }

  /** Returns the value of a variable. Undefined if it is not set. An empty value counts as set. */
  readonly lookup = (name: string): string | undefined =>
    this.#set.get(name) ?? this.#env[name.toUpperCase().replaceAll('-', '_')] ?? this.#fromFile(name);

  set(name: string, value: string): void {
    this.#set.set(name, value);
  }

  get providers(): readonly ProviderConfig[] {
    return this.#providers;
  }

  provider(name: string, type: ProviderType): ProviderConfig {
    const found = this.#providers.find((provider) => isSameProvider(provider, { name, type }));
    if (found !== undefined) return found;
    const known = this.#providers.filter((provider) => provider.type === type).map((provider) => provider.name);
    throw new ClusterctlError(
      `failed to get configuration for the ${type} with name ${name}. Please check the provider name and/or add configuration for new providers using the .clusterctl config file`,
      {
        remedy:
          known.length === 0
            ? 'run `slipway config repositories` to list the configured providers'
            : `configured providers: ${known.join(', ')}`,
      },
    );
  }

  alterImage(component: string, image: string): string {
    return alterImage(this.#images, component, image);
  }

  /** Returns the directory whose files override the files of a release. */
  overridesFolder(): string {
    const named = (this.lookup('overridesFolder') ?? '').trim();
    if (named !== '') return processTemplate(named, (name) => this.#env[name] ?? '');
    const folders = configFolders(this.#env).map((folder) => join(folder, 'overrides'));
    return folders.find((folder) => existsSync(folder)) ?? folders[0] ?? '';
  }

  #fromFile(name: string): string | undefined {
    const value = this.#settings.get(name.toLowerCase());
    if (value === undefined || value === null) return undefined;
    return typeof value === 'object' ? '' : String(value);
  }
}
