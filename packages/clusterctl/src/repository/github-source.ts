import { ClusterctlError } from '../clusterctl-error.js';
import { fetchText, fetchUrl, type FetchDependencies } from '../fetch/index.js';
import type { ProviderConfig } from '../provider/index.js';
import type { ReleaseSource } from './release-source.js';
import { latest } from './repository-url.js';

export interface GitHubUrl {
  readonly owner: string;
  readonly repository: string;
  readonly version: string;
  readonly file: string;
}

/** Parses `https://github.com/{owner}/{repository}/releases/{latest|version}/{components.yaml}`. */
export function parseGitHubUrl(provider: ProviderConfig): GitHubUrl {
  const [owner = '', repository = '', word = '', version = '', ...rest] = new URL(provider.url).pathname
    .slice(1)
    .split('/');
  const file = rest.join('/');
  if (word !== 'releases' || version === '' || file === '')
    throw new ClusterctlError(
      `invalid url: a GitHub repository url should be in the form https://github.com/{owner}/{Repository}/releases/{latest|version-tag}/{componentsClient.yaml}, not ${provider.url}`,
    );
  return { owner, repository, version, file };
}

const pageSize = 100;

/** Returns whether GitHub accepts a token. The request does not count against the rate limit. */
export async function isGitHubToken(token: string, dependencies: FetchDependencies): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` };
  const { status } = await fetchUrl('https://api.github.com/rate_limit', dependencies, { headers });
  return status !== 401;
}

/** Reads releases from GitHub. A token raises the rate limit. */
export class GitHubSource implements ReleaseSource {
  readonly #url: GitHubUrl;
  readonly #dependencies: FetchDependencies;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: GitHubUrl, token: string | undefined, dependencies: FetchDependencies) {
    this.#url = url;
    this.#dependencies = dependencies;
    this.#headers = token === undefined || token === '' ? {} : { authorization: `Bearer ${token}` };
  }

  async versions(): Promise<readonly string[]> {
    const { owner, repository, version } = this.#url;
    const address = `https://api.github.com/repos/${owner}/${repository}/releases?per_page=${pageSize}`;
    const headers = { ...this.#headers, accept: 'application/vnd.github+json' };
    const { status, body } = await fetchUrl(address, this.#dependencies, { headers });
    if (status === 403 || status === 429)
      throw new ClusterctlError('rate limit for github api has been reached', {
        remedy: 'wait an hour, set GITHUB_TOKEN to a personal access token, or specify a version',
      });
    if (status !== 200) {
      if (version !== latest) return [version];
      throw new ClusterctlError(`cannot list the releases of ${owner}/${repository}: GitHub returned status ${status}`);
    }
    const releases = JSON.parse(body.toString('utf8')) as readonly {
      readonly tag_name?: string;
      readonly draft?: boolean;
    }[];
    return releases.flatMap(({ tag_name: tag, draft }) => (tag === undefined || draft === true ? [] : [tag]));
  }

  read(version: string, file: string): Promise<string | undefined> {
    return fetchText(this.describe(version, file), this.#dependencies);
  }

  describe(version: string, file: string): string {
    const { owner, repository } = this.#url;
    return `https://github.com/${owner}/${repository}/releases/download/${encodeURIComponent(version)}/${file}`;
  }
}
