import { methodNotAllowed, type MutableJsonObject, unknownResource } from '@slipway/kube';
import { createOnly } from './create-only.js';
import { createObject } from './create.js';
import { deleteCollection, deleteObject } from './delete.js';
import type { RegistryDependencies } from './dependencies.js';
import { patchObject } from './patch.js';
import { getObject, listObjects, type ServedResource } from './read.js';
import type {
  CreateOnlyAnswer,
  Answer,
  Caller,
  DecodedBody,
  DeleteAnswer,
  DeleteOptions,
  ListAnswer,
  ListOptions,
  PatchType,
  ResourceDefinition,
  ResourceEndpoint,
  ResourceVersionDefinition,
  WatchOptions,
  WatchStream,
  WriteAnswer,
  WriteOptions,
} from '../contract/index.js';
import { patchScale, scaleOf, updateScale } from './scale.js';
import { updateObject } from './update.js';
import { watchObjects } from './watch.js';

/** One served version of one resource: dispatches each verb to its implementation. */
export class Endpoint implements ResourceEndpoint, ServedResource {
  #watches: Set<{ dispose(): void }> | undefined;

  constructor(
    readonly dependencies: RegistryDependencies,
    readonly definition: ResourceDefinition,
    readonly version: ResourceVersionDefinition,
  ) {}

  /** Open watches. Created on first use: few of a server's resources are ever watched. */
  get watches(): Set<{ dispose(): void }> {
    this.#watches ??= new Set();
    return this.#watches;
  }

  get(caller: Caller, namespace: string, name: string, options: { resourceVersion?: string } = {}): Promise<Answer> {
    return getObject(this, caller, namespace, name, options.resourceVersion);
  }

  list(caller: Caller, namespace: string, options: ListOptions): Promise<ListAnswer> {
    return listObjects(this, caller, namespace, options);
  }

  watch(caller: Caller, namespace: string, options: WatchOptions): Promise<WatchStream> {
    return watchObjects(this, caller, namespace, options);
  }

  create(caller: Caller, namespace: string, body: DecodedBody, options: WriteOptions): Promise<WriteAnswer> {
    return createObject(this, caller, namespace, body, options);
  }

  createOnly(
    caller: Caller,
    target: { readonly namespace: string; readonly name: string; readonly subresource: string },
    body: MutableJsonObject,
    options: WriteOptions,
  ): Promise<CreateOnlyAnswer> {
    return createOnly(this, caller, target, body, options);
  }

  update(
    caller: Caller,
    namespace: string,
    name: string,
    body: DecodedBody,
    options: WriteOptions,
    subresource = '',
  ): Promise<WriteAnswer> {
    const target = { namespace, name, subresource: this.#checkPart(subresource) };
    if (subresource === 'scale') return updateScale(this, caller, target, body, options);
    return updateObject(this, caller, target, body, options);
  }

  patch(
    caller: Caller,
    namespace: string,
    name: string,
    patch: { readonly type: PatchType; readonly value: unknown; readonly duplicateKeys: readonly string[] },
    options: WriteOptions,
    subresource = '',
  ): Promise<WriteAnswer> {
    const target = { namespace, name, subresource: this.#checkPart(subresource) };
    if (subresource === 'scale') return patchScale(this, caller, target, patch, options);
    return patchObject(this, caller, target, patch, options);
  }

  async getSubresource(caller: Caller, namespace: string, name: string, subresource: string): Promise<Answer> {
    this.#checkPart(subresource);
    const answer = await getObject(this, caller, namespace, name, undefined);
    return subresource === 'scale' ? scaleOf(this, answer.object) : answer;
  }

  delete(caller: Caller, namespace: string, name: string, options: DeleteOptions): Promise<DeleteAnswer> {
    return deleteObject(this, caller, { namespace, name }, options);
  }

  deleteCollection(caller: Caller, namespace: string, list: ListOptions, options: DeleteOptions): Promise<ListAnswer> {
    return deleteCollection(this, caller, namespace, list, options);
  }

  /** Ends all watches. Clients reconnect to the definition that replaces this one. */
  retire(): void {
    for (const watch of this.#watches ?? []) watch.dispose();
  }

  /** Validates that the subresource reads and writes parts of the object. Other subresources do not support these verbs. */
  #checkPart(subresource: string): string {
    if (subresource === '') return '';
    const { status, scale } = this.version.subresources;
    if (subresource === 'status' && status) return subresource;
    if (subresource === 'scale' && scale !== undefined) return subresource;
    const own = this.definition.subresources.find((one) => one.name === subresource);
    if (own === undefined) throw unknownResource();
    if (own.part === undefined) throw methodNotAllowed();
    return subresource;
  }
}
