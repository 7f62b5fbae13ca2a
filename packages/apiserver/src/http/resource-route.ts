import { methodNotAllowed, notFound, StatusError, unknownResource } from '@slipway/kube';
import type { Registry, ResourceDefinition, ResourceEndpoint, Subresource, Verb } from '../contract/index.js';
import type { RequestInfo } from './request-info.js';

/**
 * Finds the endpoint of a request, or undefined if the path does not exist. For a path that exists in part, such as an unknown
 * resource of a built-in group, throws a 404 or 405 Status.
 */
export class ResourceRouter {
  #generation = -1;
  #builtInGroups = new Set<string>();

  constructor(private readonly registry: Registry) {}

  resolve(info: RequestInfo): ResourceEndpoint | undefined {
    const endpoint = this.registry.endpoint(info.group, info.version, info.resource);
    if (endpoint === undefined) {
      if (this.#isBuiltIn(info.group)) throw unknownResource();
      return undefined;
    }
    return checkRoute(endpoint, info) ? endpoint : undefined;
  }

  #isBuiltIn(group: string): boolean {
    if (this.#generation !== this.registry.generation) {
      this.#generation = this.registry.generation;
      const builtIn = this.registry.definitions().filter(({ custom }) => !custom);
      this.#builtInGroups = new Set(builtIn.map((definition) => definition.group));
    }
    return this.#builtInGroups.has(group);
  }
}

const crossNamespaceVerbs = new Set(['list', 'watch']);

/** Checks the path and the verb of a request. Returns false if the path does not exist for any method. Throws 404 or 405. */
function checkRoute(endpoint: ResourceEndpoint, info: RequestInfo): boolean {
  const { definition } = endpoint;
  if (info.extra || info.resource === '') throw unknownResource();
  if (!checkScope(definition, info)) return false;
  if (info.method === 'HEAD' || info.verb === '') throw methodNotAllowed();
  const verbs = info.subresource === '' ? definition.verbs : subresourceVerbs(endpoint, info.subresource);
  if (verbs === undefined)
    throw definition.custom ? notFound({ group: info.group, resource: info.resource }, info.name) : unknownResource();
  checkPathForm(info);
  if (!(verbs as readonly string[]).includes(info.verb)) throw verbNotAllowed(definition, info);
  return true;
}

function verbNotAllowed(definition: ResourceDefinition, info: RequestInfo): StatusError {
  if (!definition.custom) return methodNotAllowed();
  const resource = `${info.resource}.${info.group}`;
  return new StatusError({
    code: 405,
    reason: 'MethodNotAllowed',
    message: `${info.verb} is not supported on resources of kind "${resource}"`,
    details: { group: info.group, kind: info.resource },
  });
}

/** Throws 405 for POST to a name, and for PUT, PATCH and the like without a name. */
function checkPathForm(info: RequestInfo): void {
  const wantsName = info.verb === 'get' || info.verb === 'update' || info.verb === 'patch' || info.verb === 'delete';
  if (wantsName && info.name === '') throw methodNotAllowed();
  if (info.verb === 'create' && info.name !== '' && info.subresource === '') throw methodNotAllowed();
}

function checkScope(definition: ResourceDefinition, info: RequestInfo): boolean {
  const namespacedPath = info.namespace !== '' && !(info.group === '' && info.resource === 'namespaces');
  if (definition.namespaced === namespacedPath) return true;
  if (definition.namespaced && crossNamespaceVerbs.has(info.verb)) return true;
  if (definition.custom) return false;
  // The collection across namespaces can be read, so other methods return 405 rather than 404.
  if (definition.namespaced && info.name === '') throw methodNotAllowed();
  throw unknownResource();
}

const partVerbs: readonly Verb[] = ['get', 'patch', 'update'];

function subresourceVerbs(endpoint: ResourceEndpoint, name: string): readonly Verb[] | undefined {
  const declared = findSubresource(endpoint.definition, name);
  if (declared !== undefined) return declared.verbs;
  if (name === 'status' && endpoint.version.subresources.status) return partVerbs;
  return name === 'scale' && endpoint.version.subresources.scale !== undefined ? partVerbs : undefined;
}

export function findSubresource(definition: ResourceDefinition, name: string): Subresource | undefined {
  return definition.subresources.find((subresource) => subresource.name === name);
}
