import { forbidden, notFound, StatusError } from '@slipway/kube';
import type { AdmissionPlugin, AdmissionRequest, Store } from '../contract/index.js';

const protectedNamespaces: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/**
 * Rejects creates and updates in namespaces that do not exist, creates in namespaces that are being deleted, and the deletion of
 * protected namespaces.
 */
export function createNamespaceLifecycle(store: Pick<Store, 'get'>): AdmissionPlugin {
  return {
    name: 'NamespaceLifecycle',
    handles: ({ operation, namespace, resource }) =>
      operation === 'DELETE' ? isNamespace(resource) : namespace !== '' && operation !== 'CONNECT',
    refuse(request) {
      if (request.operation === 'DELETE') rejectProtected(request);
      else if (!isNamespace(request.resource) && !isAccessReview(request)) checkNamespace(store, request);
    },
  };
}

function isNamespace(resource: AdmissionRequest['resource']): boolean {
  return resource.group === '' && resource.resource === 'namespaces';
}

/** Whether the request is a LocalSubjectAccessReview, which is allowed in a namespace that does not exist. */
function isAccessReview({ resource }: AdmissionRequest): boolean {
  return resource.group === 'authorization.k8s.io' && resource.resource === 'localsubjectaccessreviews';
}

function rejectProtected({ resource, name }: AdmissionRequest): void {
  if (protectedNamespaces.has(name)) throw forbidden(resource, name, 'this namespace may not be deleted');
}

function checkNamespace(store: Pick<Store, 'get'>, request: AdmissionRequest): void {
  const { namespace } = request;
  const stored = store.get({ resource: 'namespaces', namespace: '', name: namespace });
  if (stored === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace);
  const { deletionTimestamp } = stored.object.metadata;
  if (request.operation === 'CREATE' && (deletionTimestamp ?? '') !== '') throw terminating(request);
}

/**
 * Returns the error of a create in a namespace that is being deleted. Controllers check its cause, not its message, and stop
 * retrying.
 */
function terminating({ resource, namespace, name, object }: AdmissionRequest): StatusError {
  const shown = name || object?.metadata.generateName || 'Unknown';
  const { code, reason, message, details } = forbidden(
    resource,
    shown,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  return new StatusError({ code, reason, message, details: { ...details, causes: [cause] } });
}
