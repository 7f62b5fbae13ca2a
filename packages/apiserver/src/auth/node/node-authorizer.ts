import { type Frozen, type KubeObject, quoteGo, recordAt, textAt } from '@slipway/kube';
import type { AccessRequest, Authorizer, Decision, ResourceAttributes, Store } from '../../contract/index.js';
import { bootstrapPolicy, type PolicyRule, ruleAllows, rulesOf } from '../rbac/index.js';
import { nodeNameOf } from './node-identity.js';
import { NodePods, nodeOf } from './node-pods.js';
import { isMirrorPod, referencesOf, secretsOfPersistentVolume } from './pod-references.js';

const allowed: Decision = { allowed: true, reason: '' };
const denied = (reason: string): Decision => ({ allowed: false, reason });
const leaseNamespace = 'kube-node-lease';
const ownObjectVerbs = ['get', 'create', 'update', 'patch', 'delete'];

/** Returns a Node authorizer with the rules of the ClusterRole system:node, as upstream defines them. */
export function createNodeAuthorizer(store: Store): NodeAuthorizer {
  const role = bootstrapPolicy().clusterRoles.find(({ metadata }) => metadata.name === 'system:node');
  return new NodeAuthorizer(store, rulesOf(role));
}

/**
 * Authorizes kubelets as kube-apiserver's Node authorizer does: a node reads its own Node and pods, and the objects to which its
 * pods refer. All other requests follow the rules of the ClusterRole system:node. It never denies what RBAC allows.
 */
class NodeAuthorizer implements Authorizer {
  readonly #pods: NodePods;

  constructor(
    private readonly store: Store,
    private readonly rules: readonly PolicyRule[],
  ) {
    this.#pods = new NodePods(store);
  }

  dispose(): void {
    this.#pods.dispose();
  }

  authorize(request: AccessRequest): Decision {
    const node = nodeNameOf(request.user);
    if (node === undefined) return denied('');
    if (node === '') return denied(`unknown node for user ${quoteGo(request.user.username)}`);
    const { verb, resource } = request;
    const special = resource && this.#special(node, verb, resource);
    if (special !== undefined) return special;
    return this.rules.some((rule) => ruleAllows(rule, request)) ? allowed : denied('');
  }

  /** Decides about resources that depend on the node. */
  #special(node: string, verb: string, resource: ResourceAttributes): Decision | undefined {
    switch (`${resource.group}/${resource.resource}`) {
      case '/secrets':
      case '/configmaps':
        return this.#readNamespaced(node, verb, resource);
      case '/persistentvolumeclaims':
        return resource.subresource === 'status'
          ? this.#updateStatus(node, verb, resource)
          : this.#get(node, verb, resource);
      case '/persistentvolumes':
      case 'resource.k8s.io/resourceclaims':
      case 'storage.k8s.io/volumeattachments':
        return this.#get(node, verb, resource);
      case '/serviceaccounts':
        return this.#serviceAccount(node, verb, resource);
      case 'coordination.k8s.io/leases':
        return lease(node, verb, resource);
      case 'storage.k8s.io/csinodes':
        return csiNode(node, verb, resource);
      case 'resource.k8s.io/resourceslices':
        return this.#resourceSlice(node, verb, resource);
      case '/nodes':
        return nodeObject(node, verb, resource);
      case '/pods':
        return this.#pod(node, verb, resource);
      case 'certificates.k8s.io/podcertificaterequests':
        return denied('');
      default:
        return undefined;
    }
  }

  #readNamespaced(node: string, verb: string, resource: ResourceAttributes): Decision {
    if (!['get', 'list', 'watch'].includes(verb)) return denied('can only read resources of this type');
    if (resource.subresource !== '') return denied('cannot read subresource');
    if (resource.namespace === '') return denied('can only read namespaced object of this type');
    return this.#related(node, resource);
  }

  #get(node: string, verb: string, resource: ResourceAttributes): Decision {
    if (verb !== 'get') return denied('can only get individual resources of this type');
    if (resource.subresource !== '') return denied('cannot get subresource');
    return this.#related(node, resource);
  }

  #updateStatus(node: string, verb: string, resource: ResourceAttributes): Decision {
    if (verb !== 'update' && verb !== 'patch') return denied('can only get/update/patch this type');
    return this.#related(node, resource);
  }

  #serviceAccount(node: string, verb: string, resource: ResourceAttributes): Decision {
    if (verb === 'get' && resource.subresource === '') return this.#readNamespaced(node, verb, resource);
    if (verb !== 'create' || resource.name === '')
      return denied('can only create tokens for individual service accounts');
    if (resource.subresource !== 'token') return denied('can only create token subresource of serviceaccount');
    return this.#related(node, resource);
  }

  #resourceSlice(node: string, verb: string, resource: ResourceAttributes): Decision {
    if (resource.subresource !== '') return denied('cannot authorize ResourceSlice subresources');
    if (verb === 'create') return allowed;
    if (['get', 'update', 'patch', 'delete'].includes(verb)) return this.#related(node, resource);
    if (!['watch', 'list', 'deletecollection'].includes(verb))
      return denied(
        'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection',
      );
    return resource.requiredFields?.['spec.nodeName'] === node
      ? allowed
      : denied('can only list/watch/deletecollection resourceslices with nodeName field selector');
  }

  #pod(node: string, verb: string, resource: ResourceAttributes): Decision {
    // NodeRestriction checks on which pods the write operations are allowed.
    const writes: Readonly<Record<string, readonly string[]>> = {
      '': ['create', 'delete'],
      status: ['update', 'patch'],
      eviction: ['create'],
    };
    if (writes[resource.subresource]?.includes(verb) === true) return allowed;
    if (resource.subresource !== '') return denied('');
    if (verb === 'get') return this.#get(node, verb, resource);
    if (verb !== 'list' && verb !== 'watch') return denied('');
    if (resource.requiredFields?.['spec.nodeName'] === node) return allowed;
    if (resource.name !== '') return this.#related(node, resource);
    return denied('can only list/watch pods with spec.nodeName field selector');
  }

  #related(node: string, resource: ResourceAttributes): Decision {
    if (resource.name === '') return denied('No Object name found');
    return this.#isRelated(node, resource)
      ? allowed
      : denied(`no relationship found between node '${node}' and this object`);
  }

  #isRelated(node: string, { resource, namespace, name }: ResourceAttributes): boolean {
    switch (resource) {
      case 'pods':
        return nodeOf(this.#object('pods', namespace, name)) === node;
      case 'volumeattachments':
        return this.#nodeNamedBy('storage.k8s.io/volumeattachments', name) === node;
      case 'resourceslices':
        return this.#nodeNamedBy('resource.k8s.io/resourceslices', name) === node;
      case 'persistentvolumes':
        return this.#mounts(node, this.#object('persistentvolumes', '', name));
      case 'secrets':
        return (
          this.#podsRefer(node, namespace, (pod) => referencesOf(pod).secrets.has(name)) ||
          this.#volumesRefer(node, `${namespace}/${name}`)
        );
      case 'configmaps':
        return this.#podsRefer(node, namespace, (pod) => referencesOf(pod).configMaps.has(name));
      case 'persistentvolumeclaims':
        return this.#podsRefer(node, namespace, (pod) => referencesOf(pod).claims.has(name));
      case 'resourceclaims':
        return this.#podsRefer(node, namespace, (pod) => referencesOf(pod).resourceClaims.has(name));
      default:
        return this.#podsRefer(node, namespace, (pod) => serviceAccountOf(pod) === name);
    }
  }

  #podsRefer(node: string, namespace: string, refers: (pod: Frozen<KubeObject>) => boolean): boolean {
    for (const pod of this.#pods.of(node)) if (pod.metadata.namespace === namespace && refers(pod)) return true;
    return false;
  }

  #volumesRefer(node: string, secret: string): boolean {
    return this.store
      .list({ resource: 'persistentvolumes' })
      .some(({ object }) => secretsOfPersistentVolume(object).has(secret) && this.#mounts(node, object));
  }

  /** Whether a pod of the node uses the claim to which the volume is bound. */
  #mounts(node: string, volume: Frozen<KubeObject> | undefined): boolean {
    const claim = recordAt(recordAt(volume, 'spec'), 'claimRef');
    if (claim === undefined) return false;
    const name = textAt(claim, 'name');
    return this.#podsRefer(node, textAt(claim, 'namespace'), (pod) => referencesOf(pod).claims.has(name));
  }

  #nodeNamedBy(resource: string, name: string): string {
    return textAt(recordAt(this.#object(resource, '', name), 'spec'), 'nodeName');
  }

  #object(resource: string, namespace: string, name: string): Frozen<KubeObject> | undefined {
    return this.store.get({ resource, namespace, name })?.object;
  }
}

/** A node gets tokens for the service accounts of its pods, but not for those of its mirror pods. */
function serviceAccountOf(pod: Frozen<KubeObject>): string {
  return isMirrorPod(pod) ? '' : textAt(recordAt(pod, 'spec'), 'serviceAccountName');
}

function lease(node: string, verb: string, { namespace, name }: ResourceAttributes): Decision {
  if (!ownObjectVerbs.includes(verb)) return denied('can only get, create, update, patch, or delete a node lease');
  if (namespace !== leaseNamespace)
    return denied(`can only access leases in the ${quoteGo(leaseNamespace)} system namespace`);
  if (verb !== 'create' && name !== node)
    return denied('can only access node lease with the same name as the requesting node');
  return allowed;
}

function csiNode(node: string, verb: string, { subresource, name }: ResourceAttributes): Decision {
  if (!ownObjectVerbs.includes(verb)) return denied('can only get, create, update, patch, or delete a CSINode');
  if (subresource !== '') return denied('cannot authorize CSINode subresources');
  if (verb !== 'create' && name !== node)
    return denied('can only access CSINode with the same name as the requesting node');
  return allowed;
}

/** NodeRestriction checks that a node writes its own Node only. */
function nodeObject(node: string, verb: string, { subresource, name }: ResourceAttributes): Decision {
  if (subresource === 'status') return verb === 'update' || verb === 'patch' ? allowed : denied('');
  if (subresource !== '') return denied('');
  if (['create', 'update', 'patch'].includes(verb)) return allowed;
  if (!['get', 'list', 'watch'].includes(verb)) return denied('');
  if (name === node) return allowed;
  return denied(
    name === ''
      ? `node '${node}' cannot read all nodes, only its own Node object`
      : `node '${node}' cannot read '${name}', only its own Node object`,
  );
}
