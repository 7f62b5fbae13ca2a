import {
  type Frozen,
  isReason,
  type KubeObject,
  type MutableJsonObject,
  parseApiVersion,
  unknownResource,
} from '@slipway/kube';
import type { Caller, DeleteOptions, ListOptions, Registry, ResourceEndpoint, UserInfo } from '../contract/index.js';

/** A reference by which the server's own controllers name a resource. */
export interface ResourceRef {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** The user of the server's own controllers. */
export const loopbackUser: UserInfo = {
  username: 'system:apiserver',
  groups: ['system:masters', 'system:authenticated'],
};

/** Client of the server's own controllers. Runs the same pipeline as external requests, as the loopback user. */
export class LoopbackClient {
  readonly #registry: Registry;
  readonly #caller: Caller;

  constructor(registry: Registry, manager: string) {
    this.#registry = registry;
    this.#caller = {
      user: loopbackUser,
      userAgent: manager,
      signal: new AbortController().signal,
      warn: () => undefined,
      takesWarnings: false,
    };
  }

  async get(ref: ResourceRef, namespace: string, name: string): Promise<Frozen<KubeObject> | undefined> {
    try {
      return (await this.#endpoint(ref).get(this.#caller, namespace, name)).object;
    } catch (error) {
      if (isReason(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  async list(ref: ResourceRef, namespace = '', options: ListOptions = {}): Promise<readonly Frozen<KubeObject>[]> {
    const { items } = await this.#endpoint(ref).list(this.#caller, namespace, options);
    return items.map((item) => item.object);
  }

  async create(object: KubeObject): Promise<Frozen<KubeObject>> {
    const endpoint = this.#endpointOf(object);
    const body = { value: object as unknown as MutableJsonObject, duplicateKeys: [] };
    return (await endpoint.create(this.#caller, object.metadata.namespace ?? '', body, {})).answer.object;
  }

  async update(object: KubeObject, subresource = ''): Promise<Frozen<KubeObject>> {
    const endpoint = this.#endpointOf(object);
    const { namespace = '', name = '' } = object.metadata;
    const body = { value: object as unknown as MutableJsonObject, duplicateKeys: [] };
    return (await endpoint.update(this.#caller, namespace, name, body, {}, subresource)).answer.object;
  }

  /** Sends a merge patch. Include metadata.resourceVersion to make it conditional. */
  async patch(
    ref: ResourceRef,
    namespace: string,
    name: string,
    patch: MutableJsonObject,
    subresource = '',
  ): Promise<Frozen<KubeObject>> {
    const body = { type: 'merge' as const, value: patch, duplicateKeys: [] };
    return (await this.#endpoint(ref).patch(this.#caller, namespace, name, body, {}, subresource)).answer.object;
  }

  /** Deletes an object. Returns false if it did not exist. */
  async delete(ref: ResourceRef, namespace: string, name: string, options: DeleteOptions = {}): Promise<boolean> {
    try {
      await this.#endpoint(ref).delete(this.#caller, namespace, name, options);
      return true;
    } catch (error) {
      if (isReason(error, 'NotFound')) return false;
      throw error;
    }
  }

  async deleteCollection(ref: ResourceRef, namespace: string, options: DeleteOptions = {}): Promise<void> {
    await this.#endpoint(ref).deleteCollection(this.#caller, namespace, {}, options);
  }

  #endpointOf(object: KubeObject): ResourceEndpoint {
    const { group, version } = parseApiVersion(object.apiVersion);
    const endpoint = this.#registry.endpointForKind(group, version, object.kind);
    if (endpoint === undefined) throw unknownResource();
    return endpoint;
  }

  #endpoint(ref: ResourceRef): ResourceEndpoint {
    const endpoint = this.#registry.endpoint(ref.group, ref.version, ref.resource);
    if (endpoint === undefined) throw unknownResource();
    return endpoint;
  }
}
