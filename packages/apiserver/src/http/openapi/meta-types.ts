import type { Schema } from '@slipway/kube';

const prefix = 'io.k8s.apimachinery.pkg.apis.meta.v1';

export const objectMetaName = `${prefix}.ObjectMeta`;
export const listMetaName = `${prefix}.ListMeta`;
export const statusName = `${prefix}.Status`;
export const patchName = `${prefix}.Patch`;
export const deleteOptionsName = `${prefix}.DeleteOptions`;
export const scaleName = 'io.k8s.api.autoscaling.v1.Scale';

const text = (description: string): Schema => ({ type: 'string', description });
const integer = (description: string): Schema => ({ type: 'integer', format: 'int64', description });
const time = (description: string): Schema => ({
  type: 'string',
  format: 'date-time',
  description,
  refName: `${prefix}.Time`,
});
const textMap = (description: string): Schema => ({
  type: 'object',
  description,
  additionalProperties: { type: 'string' },
});

export const apiVersionProperty = text(
  'API group and version of this representation of the object, for example apps/v1.',
);
export const kindProperty = text('Kind of the object, in CamelCase. Cannot be updated.');

const ownerReference: Schema = {
  refName: `${prefix}.OwnerReference`,
  type: 'object',
  description:
    'OwnerReference identifies an owner of this object. The owner is in the same namespace or cluster-scoped.',
  required: ['apiVersion', 'kind', 'name', 'uid'],
  'x-kubernetes-map-type': 'atomic',
  properties: {
    apiVersion: text('API version of the owner.'),
    kind: text('Kind of the owner.'),
    name: text('Name of the owner.'),
    uid: text('UID of the owner.'),
    controller: {
      type: 'boolean',
      description: 'If true, this owner is the managing controller. At most one owner can be the managing controller.',
    },
    blockOwnerDeletion: {
      type: 'boolean',
      description: 'If true, foreground deletion of the owner waits until this object is deleted.',
    },
  },
};

const managedFieldsEntry: Schema = {
  refName: `${prefix}.ManagedFieldsEntry`,
  type: 'object',
  description: 'ManagedFieldsEntry lists the fields that one manager set through one operation.',
  properties: {
    manager: text('Name of the field manager.'),
    operation: text('Operation that set the fields. One of Apply, Update.'),
    apiVersion: text('API version in which the field names are expressed.'),
    time: time('Time at which the set of fields last changed.'),
    fieldsType: text('Format of fieldsV1. Always FieldsV1.'),
    fieldsV1: {
      refName: `${prefix}.FieldsV1`,
      type: 'object',
      description: 'Set of fields, encoded as a tree.',
      'x-kubernetes-preserve-unknown-fields': true,
    },
    subresource: text('Subresource through which the fields were set. Empty for the main resource.'),
  },
};

const objectMeta: Schema = {
  refName: objectMetaName,
  type: 'object',
  description: 'ObjectMeta is the metadata that all persisted objects have.',
  properties: {
    name: text('Name of the object. Unique within its namespace for each resource. Cannot be updated.'),
    generateName: text('Prefix from which the server generates a unique name when name is not set.'),
    namespace: text(
      'Namespace within which the name must be unique. Empty for cluster-scoped objects. Cannot be updated.',
    ),
    selfLink: text('Deprecated. The server no longer sets this field.'),
    uid: text('Identifier of the object, unique in time and space. Set by the server on creation. Read-only.'),
    resourceVersion: text(
      'Opaque version of the object that changes with every write. Used for optimistic concurrency and for watches.',
    ),
    generation: integer('Sequence number of the desired state. Set by the server. Read-only.'),
    creationTimestamp: time('Time at which the server created the object. Read-only.'),
    deletionTimestamp: time(
      'Time after which the object is removed, once its finalizers list is empty. Set by the server when deletion is requested. Read-only.',
    ),
    deletionGracePeriodSeconds: integer(
      'Seconds that the object has to terminate gracefully. Set together with deletionTimestamp. Read-only.',
    ),
    labels: textMap('Key-value pairs used to organize and select objects.'),
    annotations: textMap(
      'Key-value pairs of arbitrary metadata that tools store with the object. They cannot be used in selectors.',
    ),
    ownerReferences: {
      type: 'array',
      description: 'Objects that own this object. The garbage collector deletes it when all of its owners are deleted.',
      items: ownerReference,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'uid',
    },
    finalizers: {
      type: 'array',
      description:
        'Finalizers that must be removed before the object is deleted. Each names the component that removes it.',
      items: { type: 'string' },
      'x-kubernetes-list-type': 'set',
      'x-kubernetes-patch-strategy': 'merge',
    },
    managedFields: {
      type: 'array',
      description: 'Fields of the object by the manager that set them. Maintained by the server for server-side apply.',
      items: managedFieldsEntry,
      'x-kubernetes-list-type': 'atomic',
    },
  },
};

const listMeta: Schema = {
  refName: listMetaName,
  type: 'object',
  description: 'ListMeta is the metadata of a list.',
  properties: {
    continue: text('Token that retrieves the next page of the list. Empty on the last page.'),
    remainingItemCount: integer('Number of items that follow this page. Not set when a selector is used.'),
    resourceVersion: text('Resource version of the state that the list was read from. A watch can start from it.'),
    selfLink: text('Deprecated. The server no longer sets this field.'),
  },
};

const status: Schema = {
  refName: statusName,
  type: 'object',
  description: 'Status is the result of a request that does not return another object.',
  properties: {
    apiVersion: apiVersionProperty,
    kind: kindProperty,
    metadata: listMeta,
    status: text('Status of the operation. One of Success, Failure.'),
    message: text('Human-readable description of the status.'),
    reason: text('Machine-readable reason for a Failure.'),
    code: { type: 'integer', format: 'int32', description: 'Suggested HTTP status code. 0 if not set.' },
    details: {
      refName: `${prefix}.StatusDetails`,
      type: 'object',
      description: 'StatusDetails is additional data about the reason.',
      properties: {
        name: text('Name of the object that the status refers to.'),
        group: text('API group of the resource.'),
        kind: text('Resource or kind that the status refers to.'),
        uid: text('UID of the object that the status refers to.'),
        retryAfterSeconds: {
          type: 'integer',
          format: 'int32',
          description: 'Seconds to wait before the request is retried.',
        },
        causes: {
          type: 'array',
          description: 'Individual causes of the failure.',
          'x-kubernetes-list-type': 'atomic',
          items: {
            refName: `${prefix}.StatusCause`,
            type: 'object',
            description: 'StatusCause is one cause of a failure.',
            properties: {
              field: text('Path of the field that caused the failure.'),
              message: text('Human-readable description of the cause.'),
              reason: text('Machine-readable reason of the cause.'),
            },
          },
        },
      },
    },
  },
};

const deleteOptions: Schema = {
  refName: deleteOptionsName,
  type: 'object',
  description: 'DeleteOptions are the options of a delete request.',
  properties: {
    apiVersion: apiVersionProperty,
    kind: kindProperty,
    dryRun: {
      type: 'array',
      description: 'Set to All to process the request without persisting changes.',
      items: { type: 'string' },
      'x-kubernetes-list-type': 'atomic',
    },
    gracePeriodSeconds: integer(
      'Seconds before the object is deleted. 0 deletes immediately. Defaults to the grace period of the kind.',
    ),
    orphanDependents: { type: 'boolean', description: 'Deprecated: use propagationPolicy.' },
    propagationPolicy: text('How dependents are garbage collected. One of Orphan, Background, Foreground.'),
    preconditions: {
      refName: `${prefix}.Preconditions`,
      type: 'object',
      description:
        'Preconditions must be fulfilled before the object is deleted. Otherwise the server returns 409 Conflict.',
      properties: {
        uid: text('Expected UID of the object.'),
        resourceVersion: text('Expected resourceVersion of the object.'),
      },
    },
  },
};

const patch: Schema = {
  refName: patchName,
  type: 'object',
  description: 'Patch is a patch document in the format that the Content-Type of the request names.',
};

const scale: Schema = {
  refName: scaleName,
  type: 'object',
  description: 'Scale is the number of replicas of a scalable resource.',
  properties: {
    apiVersion: apiVersionProperty,
    kind: kindProperty,
    metadata: objectMeta,
    spec: {
      refName: 'io.k8s.api.autoscaling.v1.ScaleSpec',
      type: 'object',
      properties: { replicas: { type: 'integer', format: 'int32', description: 'Desired number of replicas.' } },
    },
    status: {
      refName: 'io.k8s.api.autoscaling.v1.ScaleStatus',
      type: 'object',
      required: ['replicas'],
      properties: {
        replicas: { type: 'integer', format: 'int32', description: 'Observed number of replicas.' },
        selector: text('Label selector of the replicas, in string form.'),
      },
    },
  },
};

/** Types that every OpenAPI document refers to. A built-in type of the same name takes precedence. */
export const metaTypes: ReadonlyMap<string, Schema> = new Map(
  [objectMeta, listMeta, status, deleteOptions, patch, scale].map((schema) => [schema.refName ?? '', schema]),
);
