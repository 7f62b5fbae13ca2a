import { createHash } from 'node:crypto';
import type { Registry } from '../../contract/index.js';
import { type AggregatedVersion, apiGroupDiscoveryList } from './aggregated.js';
import { apiGroup, apiGroupList, apiResourceList, apiVersions } from './legacy.js';
import { type ServedGroup, servedGroups } from './served-groups.js';

export interface AggregatedDocument {
  readonly body: Buffer;
  /** The ETag, including quotes. */
  readonly etag: string;
}

/** Discovery documents, built on first request and cached until the registry changes. */
export class DiscoveryDocuments {
  #generation = -1;
  #groups: readonly ServedGroup[] = [];
  readonly #legacy = new Map<string, Buffer>();
  readonly #aggregated = new Map<string, AggregatedDocument>();

  constructor(
    private readonly registry: Registry,
    private readonly serverAddress: () => string,
  ) {}

  paths(): string[] {
    const paths = ['/api', '/api/v1', '/apis'];
    for (const group of this.#named()) {
      paths.push(`/apis/${group.name}`);
      for (const version of group.versions) paths.push(`/apis/${group.name}/${version.name}`);
    }
    return paths;
  }

  /** Returns the document of `/api`, `/apis`, `/apis/<group>` or `/apis/<group>/<version>`, or undefined for any other path. */
  legacy(path: string): Buffer | undefined {
    this.#refresh();
    const cached = this.#legacy.get(path);
    if (cached !== undefined) return cached;
    const document = this.#buildLegacy(path);
    if (document === undefined) return undefined;
    const body = Buffer.from(`${JSON.stringify(document)}\n`);
    this.#legacy.set(path, body);
    return body;
  }

  /**
   * Whether the path is below a built-in group. An unknown version of such a group is reported as a missing resource, not as an
   * unknown path.
   */
  belowBuiltIn(path: string): boolean {
    this.#refresh();
    const [, prefix, first, second] = path.split('/');
    if (prefix === 'api') return first !== undefined;
    return second !== undefined && this.#groups.some((group) => group.name === first && isBuiltIn(group));
  }

  aggregated(path: '/api' | '/apis', version: AggregatedVersion): AggregatedDocument {
    this.#refresh();
    const key = `${path} ${version}`;
    const cached = this.#aggregated.get(key);
    if (cached !== undefined) return cached;
    const groups = path === '/api' ? this.#groups.filter((group) => group.name === '') : this.#named();
    const body = Buffer.from(`${JSON.stringify(apiGroupDiscoveryList(groups, version))}\n`);
    const etag = `"${createHash('sha512').update(body).digest('hex').toUpperCase()}"`;
    const document = { body, etag };
    this.#aggregated.set(key, document);
    return document;
  }

  #buildLegacy(path: string): object | undefined {
    if (path === '/api') return apiVersions(this.serverAddress());
    if (path === '/apis') return apiGroupList(this.#named());
    const named =
      /^\/apis\/(?<group>[^/]+)(?:\/(?<version>[^/]*))?$/.exec(path) ?? /^\/api\/(?<version>[^/]*)$/.exec(path);
    if (named === null) return undefined;
    const { group: groupName = '', version: versionName } = named.groups ?? {};
    const group = this.#groups.find((candidate) => candidate.name === groupName);
    if (group === undefined) return undefined;
    if (versionName === undefined) return apiGroup(group);
    const version = group.versions.find((candidate) => candidate.name === versionName);
    return version === undefined ? undefined : apiResourceList(group, version);
  }

  #named(): ServedGroup[] {
    this.#refresh();
    return this.#groups.filter((group) => group.name !== '');
  }

  #refresh(): void {
    if (this.#generation === this.registry.generation) return;
    this.#generation = this.registry.generation;
    this.#groups = servedGroups(this.registry.definitions());
    this.#legacy.clear();
    this.#aggregated.clear();
  }
}

function isBuiltIn(group: ServedGroup): boolean {
  return group.versions.some((version) => version.resources.some(({ definition }) => !definition.custom));
}
