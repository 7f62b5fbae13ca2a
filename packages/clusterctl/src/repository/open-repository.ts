import { ClusterctlError } from '../clusterctl-error.js';
import type { ClusterctlConfig } from '../config/index.js';
import type { FetchDependencies } from '../fetch/index.js';
import type { ManagementCluster } from '../management-cluster.js';
import { isSameProvider, labelOf, type ProviderConfig } from '../provider/index.js';
import { type BuiltinProvider, BuiltinSource } from './builtin-source.js';
import { ConfigMapSource } from './config-map-source.js';
import { GitHubSource, parseGitHubUrl } from './github-source.js';
import { HttpsSource } from './https-source.js';
import { latestVersion } from './latest-version.js';
import { LocalSource } from './local-source.js';
import { OciRegistry } from './oci-registry.js';
import { OciSource } from './oci-source.js';
import { ProviderRepository } from './provider-repository.js';
import type { ReleaseSource } from './release-source.js';
import { latest, parseRepositoryUrl } from './repository-url.js';

/** Dependencies of repositories. */
export interface RepositoryDependencies extends FetchDependencies {
  readonly config: ClusterctlConfig;
  readonly builtin: readonly BuiltinProvider[];
  /** Returns the management cluster. Undefined if it is not reachable. */
  readonly management: () => Promise<ManagementCluster | undefined>;
}

interface Opened {
  readonly source: ReleaseSource;
  /** The version in the URL, or `latest`. */
  readonly version: string;
  readonly file: string;
}

/** Opens the repository of a provider, by the scheme of its URL. */
export async function openRepository(
  provider: ProviderConfig,
  dependencies: RepositoryDependencies,
): Promise<ProviderRepository> {
  const { source, version, file } = await openSource(provider, dependencies);
  const defaultVersion = version === latest ? await latestVersion(source, labelOf(provider)) : version;
  return new ProviderRepository({
    provider,
    source,
    defaultVersion,
    componentsFile: file,
    config: dependencies.config,
  });
}

async function openSource(provider: ProviderConfig, dependencies: RepositoryDependencies): Promise<Opened> {
  const [, scheme = '', rest = provider.url] = /^([a-z]+):\/\/(.*)$/.exec(provider.url) ?? [];
  if (scheme === 'https' && rest.startsWith('github.com/')) return openGitHub(provider, dependencies);
  if (scheme === 'https' && isGitLab(rest)) return openGitLab(provider, rest, dependencies);
  const { base, label, version, file } = parseRepositoryUrl(provider, rest);
  const common = { version, file };
  switch (scheme) {
    case '':
    case 'file':
      if (!base.startsWith('/'))
        throw new ClusterctlError(`invalid path: path "${provider.url}" must be an absolute path`);
      return { ...common, source: new LocalSource(`${base}/${label}`) };
    case 'https':
      return { ...common, source: new HttpsSource(`https://${base}/${label}`, version, dependencies) };
    case 'oci':
      return { ...common, source: openOci(`${base}/${label}`, dependencies) };
    case 'configmap':
      return { ...common, source: await openConfigMaps(base, label, dependencies) };
    case 'builtin':
      return { ...common, source: new BuiltinSource(builtinOf(provider, dependencies)) };
    default:
      throw new ClusterctlError(`invalid provider url. there are no provider implementation for "${scheme}" schema`, {
        remedy: 'supported schemes: file, https, oci, configmap and builtin',
      });
  }
}

function openGitHub(provider: ProviderConfig, dependencies: RepositoryDependencies): Opened {
  const url = parseGitHubUrl(provider);
  const source = new GitHubSource(url, dependencies.config.lookup('github-token'), dependencies);
  return { source, version: url.version, file: url.file };
}

/**
 * Whether the URL is a GitLab package:
 * `gitlab.example/api/v4/projects/{id}/packages/generic/{package}/{version}/{components.yaml}`.
 */
function isGitLab(place: string): boolean {
  return /^gitlab(-[^./]+)?\..*?\/api\/v4\/projects\//.test(place);
}

/** Opens a GitLab package. Its versions cannot be listed, so only the version in the URL is available. */
function openGitLab({ url }: ProviderConfig, place: string, dependencies: RepositoryDependencies): Opened {
  const [, base, version = '', file = ''] =
    /^([^/]+\/api\/v4\/projects\/[^/]+\/packages\/generic\/[^/]+)\/([^/]+)\/([^/]+)$/.exec(place) ?? [];
  if (base === undefined || version === latest)
    throw new ClusterctlError(
      `invalid url: a GitLab repository url should be in the form https://gitlab.example/api/v4/projects/{id}/packages/generic/{package}/{version}/{components.yaml}, not ${url}`,
    );
  return { source: new HttpsSource(`https://${base}`, version, dependencies), version, file };
}

function openOci(place: string, dependencies: RepositoryDependencies): ReleaseSource {
  const slash = place.indexOf('/');
  return new OciSource(openRegistry(place.slice(0, slash), dependencies), place.slice(slash + 1));
}

export function openRegistry(
  host: string,
  dependencies: Pick<RepositoryDependencies, 'config'> & FetchDependencies,
): OciRegistry {
  const { lookup } = dependencies.config;
  const [username, password, accessToken, refreshToken] = [
    lookup('OCI_USERNAME'),
    lookup('OCI_PASSWORD'),
    lookup('OCI_ACCESS_TOKEN'),
    lookup('OCI_REFRESH_TOKEN'),
  ];
  const credentials = {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(accessToken !== undefined && { accessToken }),
    ...(refreshToken !== undefined && { refreshToken }),
  };
  return new OciRegistry(host, credentials, dependencies);
}

async function openConfigMaps(
  namespace: string,
  label: string,
  dependencies: RepositoryDependencies,
): Promise<ReleaseSource> {
  const management = await dependencies.management();
  if (management === undefined)
    throw new ClusterctlError(
      `cannot read the releases of ${label} from ConfigMaps: no management cluster is reachable`,
    );
  return new ConfigMapSource(management.client, namespace, label);
}

function builtinOf(provider: ProviderConfig, dependencies: RepositoryDependencies): BuiltinProvider {
  const found = dependencies.builtin.find((each) => isSameProvider(each, provider));
  if (found !== undefined) return found;
  throw new ClusterctlError(`${labelOf(provider)} is not a built-in provider`, {
    remedy: `built-in providers: ${dependencies.builtin.map(labelOf).join(', ')}`,
  });
}
