import {
  aggregateText,
  deepEqual,
  forbidden,
  type Frozen,
  type KubeObject,
  listAt,
  notFound,
  quoteGo,
  recordAt,
  textAt,
  textsAt,
} from '@slipway/kube';
import type { AdmissionPlugin, AdmissionRequest, Authorizer, Store } from '../../contract/index.js';
import { isParsed, parseRequest, readSigningRequestObject, signers } from '../certificates/index.js';
import { checkMirrorPod } from './mirror-pods.js';
import { forbiddenLabels } from './node-labels.js';
import { nodeNameOf } from './node-identity.js';
import { nodeOf } from './node-pods.js';
import { findAudience } from './token-audiences.js';

interface Check {
  readonly node: string;
  readonly request: AdmissionRequest;
  readonly store: Store;
  readonly authorizer: Authorizer;
}

/**
 * Restricts what kubelets write to their own Node, its lease and CSINode, and to pods that are bound to it. Its messages are those of
 * kube-apiserver's NodeRestriction plugin.
 */
export function createNodeRestriction(store: Store, authorizer: Authorizer): AdmissionPlugin {
  return {
    name: 'NodeRestriction',
    handles: (request) => nodeNameOf(request.user) !== undefined,
    refuse(request) {
      const node = nodeNameOf(request.user);
      if (node === '') refuse(request, `could not determine node from user ${quoteGo(request.user.username)}`);
      const check = checks[`${request.resource.group}/${request.resource.resource}`];
      if (node !== undefined) check?.({ node, request, store, authorizer });
    },
  };
}

const checks: Readonly<Record<string, ((check: Check) => void) | undefined>> = {
  '/pods': checkPod,
  '/nodes': checkNode,
  '/persistentvolumeclaims': checkClaim,
  '/serviceaccounts': checkToken,
  'certificates.k8s.io/certificatesigningrequests': checkSigningRequest,
  'coordination.k8s.io/leases': checkLease,
  'storage.k8s.io/csinodes': ({ node, request }) => {
    if (targetName(request) !== node)
      refuse(request, 'can only access CSINode with the same name as the requesting node');
  },
};

function refuse(request: AdmissionRequest, why: string): never {
  const name = request.name || request.object?.metadata.name || request.object?.metadata.generateName || 'Unknown';
  throw forbidden(request.resource, name, why);
}

/** Returns the name of the object that a request writes: that of the new object on create. */
function targetName({ operation, object, name }: AdmissionRequest): string {
  return operation === 'CREATE' ? (object?.metadata.name ?? '') : name;
}

function podAt({ store, request }: Check, name: string): Frozen<KubeObject> {
  const pod = store.get({ resource: 'pods', namespace: request.namespace, name })?.object;
  // Upstream reads pods from a cache, whose errors name the resource in singular.
  if (pod === undefined) throw notFound({ group: '', resource: 'pod' }, name);
  return pod;
}

function checkPod(check: Check): void {
  const { node, request } = check;
  const { operation, subresource } = request;
  const own = `for pods with spec.nodeName set to itself`;
  if (subresource === 'status') {
    if (nodeOf(request.oldObject) !== node) refuse(request, `node ${quoteGo(node)} can only update pod status ${own}`);
    checkStatus(check);
  } else if (subresource === 'eviction') {
    const name = request.name || (request.object?.metadata.name ?? '');
    if (nodeOf(podAt(check, name)) !== node)
      refuse(request, `node ${node} can only evict pods with spec.nodeName set to itself`);
  } else if (subresource !== '') {
    refuse(request, `unexpected pod subresource ${quoteGo(subresource)}, only 'status' and 'eviction' are allowed`);
  } else if (operation === 'CREATE') {
    const problem = checkMirrorPod(check.store, node, request.object);
    if (problem !== undefined) refuse(request, problem);
  } else if (operation === 'DELETE') {
    if (nodeOf(podAt(check, request.name)) !== node)
      refuse(request, `node ${quoteGo(node)} can only delete pods with spec.nodeName set to itself`);
  } else {
    refuse(
      request,
      `unexpected operation ${quoteGo(operation)}, node ${quoteGo(node)} can only create and delete mirror pods`,
    );
  }
}

function checkStatus({ node, request }: Check): void {
  const { object, oldObject } = request;
  if (!deepEqual(object?.metadata.labels ?? {}, oldObject?.metadata.labels ?? {}))
    refuse(request, `node ${quoteGo(node)} cannot update labels through pod status`);
  const [after, before] = [recordAt(object, 'status'), recordAt(oldObject, 'status')];
  if (!deepEqual(listAt(after, 'resourceClaimStatuses'), listAt(before, 'resourceClaimStatuses')))
    refuse(request, `node ${quoteGo(node)} cannot update resource claim statues`);
  if (!deepEqual(after?.['extendedResourceClaimStatus'] ?? {}, before?.['extendedResourceClaimStatus'] ?? {}))
    refuse(request, `node ${quoteGo(node)} cannot update extended resource claim status`);
}

function checkNode({ node, request }: Check): void {
  const { operation, object } = request;
  const name = request.name || (object?.metadata.name ?? '');
  if (name !== node) refuse(request, `node ${quoteGo(node)} is not allowed to modify node ${quoteGo(name)}`);
  const problem =
    operation === 'CREATE'
      ? createProblem(node, request)
      : operation === 'UPDATE'
        ? updateProblem(node, request)
        : undefined;
  if (problem !== undefined) refuse(request, problem);
}

function createProblem(node: string, { object }: AdmissionRequest): string | undefined {
  if (configSourceOf(object) !== undefined)
    return `node ${quoteGo(node)} is not allowed to create pods with a non-nil configSource`;
  const labels = forbiddenLabels(object?.metadata.labels ?? {}, {});
  if (labels.length === 0) return undefined;
  return `node ${quoteGo(node)} is not allowed to set the following labels: ${labels.join(', ')}`;
}

function updateProblem(node: string, { object, oldObject }: AdmissionRequest): string | undefined {
  const text = quoteGo(node);
  const config = configSourceOf(object);
  if (config !== undefined && !deepEqual(config, configSourceOf(oldObject)))
    return `node ${text} is not allowed to update configSource to a new non-nil configSource`;
  const taintsOf = (one: Frozen<KubeObject> | undefined): unknown => listAt(recordAt(one, 'spec'), 'taints');
  if (!deepEqual(taintsOf(object), taintsOf(oldObject))) return `node ${text} is not allowed to modify taints`;
  const ownersOf = (one: Frozen<KubeObject> | undefined): unknown => one?.metadata.ownerReferences ?? [];
  if (!deepEqual(ownersOf(object), ownersOf(oldObject))) return `node ${text} is not allowed to modify ownerReferences`;
  const labels = forbiddenLabels(object?.metadata.labels ?? {}, oldObject?.metadata.labels ?? {});
  return labels.length === 0 ? undefined : `is not allowed to modify labels: ${labels.join(', ')}`;
}

function configSourceOf(node: Frozen<KubeObject> | undefined): unknown {
  return recordAt(recordAt(node, 'spec'), 'configSource');
}

const nodeFieldsOfClaim = ['capacity', 'conditions', 'allocatedResourceStatuses', 'allocatedResources'];

function checkClaim({ node, request }: Check): void {
  if (request.subresource !== 'status') refuse(request, 'may only update PVC status');
  if (request.operation !== 'UPDATE') refuse(request, `unexpected operation ${quoteGo(request.operation)}`);
  const rest = (claim: Frozen<KubeObject> | undefined): unknown => {
    if (claim === undefined) return undefined;
    const { resourceVersion: _version, managedFields: _fields, ...metadata } = claim.metadata;
    const status = Object.entries(recordAt(claim, 'status') ?? {});
    return {
      ...claim,
      metadata,
      status: Object.fromEntries(status.filter(([name]) => !nodeFieldsOfClaim.includes(name))),
    };
  };
  if (!deepEqual(rest(request.object), rest(request.oldObject)))
    refuse(
      request,
      `node ${quoteGo(node)} is not allowed to update fields other than status.quantity and status.conditions`,
    );
}

/** A node may only request tokens that are bound to one of its pods, for an audience that the pod uses. */
function checkToken(check: Check): void {
  const { node, request, store, authorizer } = check;
  if (request.operation !== 'CREATE' || request.subresource !== 'token') return;
  const spec = recordAt(request.object, 'spec');
  const bound = recordAt(spec, 'boundObjectRef');
  const name = textAt(bound, 'name');
  if (textAt(bound, 'apiVersion') !== 'v1' || textAt(bound, 'kind') !== 'Pod' || name === '')
    refuse(request, 'node requested token not bound to a pod');
  const uid = textAt(bound, 'uid');
  if (uid === '') refuse(request, 'node requested token with a pod binding without a uid');
  const pod = podAt(check, name);
  if (pod.metadata.uid !== uid)
    refuse(
      request,
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  if (nodeOf(pod) !== node) refuse(request, 'node requested token bound to a pod scheduled on a different node');
  const audiences = textsAt(spec, 'audiences');
  if (audiences.length > 1) refuse(request, 'node may only request 0 or 1 audiences');
  const [audience = ''] = audiences;
  const { isUsed, problems } = findAudience(store, pod, audience);
  if (isUsed) return;
  if (problems.length > 0)
    refuse(request, `error validating audience ${quoteGo(audience)}: ${aggregateText(problems)}`);
  const resource = { group: '', version: 'v1', resource: audience, subresource: '' };
  const access = { ...resource, namespace: request.namespace, name: request.name };
  const verb = 'request-serviceaccounts-token-audience';
  if (!authorizer.authorize({ user: request.user, verb, resource: access }).allowed)
    refuse(
      request,
      `audience ${quoteGo(audience)} not found in pod spec volume, ${request.user.username} is not authorized to request tokens for this audience`,
    );
}

function checkSigningRequest({ node, request }: Check): void {
  if (request.operation !== 'CREATE') return;
  const object = readSigningRequestObject(request.object);
  if (object.signerName !== signers.kubeletServing && object.signerName !== signers.kubeletClient) return;
  const parsed = parseRequest(object);
  if (!isParsed(parsed)) refuse(request, `unable to parse csr: ${parsed.problem}`);
  if (parsed.subject.commonName !== `system:node:${node}`)
    refuse(request, `can only create a node CSR with CN=system:node:${node}`);
}

function checkLease({ node, request }: Check): void {
  if (request.namespace !== 'kube-node-lease')
    refuse(request, 'can only access leases in the "kube-node-lease" system namespace');
  if (targetName(request) !== node)
    refuse(request, 'can only access node lease with the same name as the requesting node');
}
