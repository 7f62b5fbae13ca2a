import { formatApiVersion, isReason, type JsonObject } from '@slipway/kube';
import type { Resource } from './resource.js';

type GetJson = (path: string) => Promise<JsonObject>;

interface GroupKind {
  readonly group: string;
  readonly kind: string;
  readonly version?: string;
}

/**
 * Finds resources by kind. Found resources are cached; missing ones are looked up again, because their CRD may be installed
 * later.
 */
export class Discovery {
  readonly #get: GetJson;
  readonly #found = new Map<string, Resource>();

  constructor(get: GetJson) {
    this.#get = get;
  }

  async find(groupKind: GroupKind): Promise<Resource | undefined> {
    const cacheKey = `${groupKind.group}/${groupKind.version ?? ''}/${groupKind.kind}`;
    const cached = this.#found.get(cacheKey);
    if (cached !== undefined) return cached;
    const versions = groupKind.version === undefined ? await this.#versions(groupKind.group) : [groupKind.version];
    for (const version of versions) {
      const resource = await this.#findIn(groupKind, version);
      if (resource === undefined) continue;
      this.#found.set(cacheKey, resource);
      return resource;
    }
    return undefined;
  }

  /** Returns the versions of a group, the preferred one first. */
  async #versions(group: string): Promise<readonly string[]> {
    if (group === '') return ['v1'];
    const answer = await this.#optional(`/apis/${encodeURIComponent(group)}`);
    if (answer === undefined) return [];
    const versions = (answer['versions'] ?? []) as unknown as readonly { readonly version: string }[];
    const preferred = (answer['preferredVersion'] as unknown as { readonly version?: string } | undefined)?.version;
    const names = versions.map(({ version }) => version);
    return preferred === undefined ? names : [preferred, ...names.filter((name) => name !== preferred)];
  }

  async #findIn(groupKind: GroupKind, version: string): Promise<Resource | undefined> {
    const root = groupKind.group === '' ? '/api/' : '/apis/';
    const path =
      root + formatApiVersion({ group: encodeURIComponent(groupKind.group), version: encodeURIComponent(version) });
    const answer = await this.#optional(path);
    const resources = (answer?.['resources'] ?? []) as unknown as readonly ServedResource[];
    const found = resources.find((one) => one.kind === groupKind.kind && !one.name.includes('/'));
    if (found === undefined) return undefined;
    return { group: groupKind.group, version, kind: groupKind.kind, plural: found.name, namespaced: found.namespaced };
  }

  async #optional(path: string): Promise<JsonObject | undefined> {
    try {
      return await this.#get(path);
    } catch (error) {
      if (isReason(error, 'NotFound')) return undefined;
      throw error;
    }
  }
}

interface ServedResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}
