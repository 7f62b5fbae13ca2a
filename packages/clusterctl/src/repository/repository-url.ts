import { parse } from 'semver';
import { ClusterctlError } from '../clusterctl-error.js';
import { labelOf, type ProviderConfig } from '../provider/index.js';

/** The parts of a URL `{base}/{provider-label}/{version}/{components.yaml}`. All URLs except those of GitHub have this form. */
export interface RepositoryUrl {
  /** The base without the provider label. */
  readonly base: string;
  readonly label: string;
  /** A version, or `latest`. */
  readonly version: string;
  readonly file: string;
}

export const latest = 'latest';

/** Whether the releases are read over the network. */
export function isRemote({ url }: Pick<ProviderConfig, 'url'>): boolean {
  return /^(https|oci):\/\//.test(url);
}

export function parseRepositoryUrl(provider: ProviderConfig, path: string): RepositoryUrl {
  const shape = '{basepath}/{provider-label}/{version}/{components.yaml}';
  const fail = (problem: string): ClusterctlError => new ClusterctlError(`${problem} (provider ${labelOf(provider)})`);
  const segments = path.split('/');
  const [label = '', version = '', file = ''] = segments.slice(-3);
  if (segments.length < 4 || file === '') throw fail(`invalid path: path should be in the form ${shape}`);
  if (version !== latest && parse(version) === null)
    throw fail(
      `invalid version: "${version}". Version must obey the syntax and semantics of the "Semantic Versioning" specification (http://semver.org/) and path format ${shape}`,
    );
  if (label !== labelOf(provider))
    throw fail(
      `invalid path: path "${provider.url}" must contain provider "${labelOf(provider)}" in the format ${shape}`,
    );
  return { base: segments.slice(0, -3).join('/'), label, version, file };
}
