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

export const apiVersionProperty = text('The group and version of the API that this object is written for.');
export const kindProperty = text('The kind of this object, in CamelCase.');

const ownerReference: Schema = {
  refName: `${prefix}.OwnerReference`,
  type: 'object',
  description: 'Names an object that this one belongs to, in the same namespace or at the cluster scope.',
  required: ['apiVersion', 'kind', 'name', 'uid'],
  'x-kubernetes-map-type': 'atomic',
  properties: {
    apiVersion: text('API version of the owner.'),
    kind: text('Kind of the owner.'),
    name: text('Name of the owner.'),
    uid: text('UID of the owner.'),
    controller: { type: 'boolean', description: 'Whether the owner is the managing controller.' },
    blockOwnerDeletion: {
      type: 'boolean',
      description: 'Whether foreground deletion of the owner waits for this object.',
    },
  },
};

const managedFieldsEntry: Schema = {
  refName: `${prefix}.ManagedFieldsEntry`,
  type: 'object',
  description: 'Which fields one manager has set, and how.',
  properties: {
    manager: text('Who manages the fields.'),
    operation: text('Apply or Update.'),
    apiVersion: text('The version that the field names are written in.'),
    time: time('When the set of fields last changed.'),
    fieldsType: text('The format of fieldsV1.'),
    fieldsV1: {
      refName: `${prefix}.FieldsV1`,
      type: 'object',
      description: 'A set of fields as a tree.',
      'x-kubernetes-preserve-unknown-fields': true,
    },
    subresource: text('The subresource through which the fields were set.'),
  },
};

const objectMeta: Schema = {
  refName: objectMetaName,
  type: 'object',
  description: 'What every stored object carries: its identity, its life cycle and what users attach to it.',
  properties: {
    name: text('Unique within the namespace. Cannot be changed.'),
    generateName: text('A prefix from which the server makes a unique name when name is empty.'),
    namespace: text('The space within which the name must be unique.'),
    selfLink: text('No longer set.'),
    uid: text('Unique over space and time. Set by the server.'),
    resourceVersion: text('Changes whenever the object does. Opaque to clients.'),
    generation: integer('Counts the changes of the desired state.'),
    creationTimestamp: time('When the server created the object.'),
    deletionTimestamp: time('When deletion was asked for; the object goes once its finalizers are gone.'),
    deletionGracePeriodSeconds: integer('How long the object may take to end by itself.'),
    labels: textMap('Keys and values to select objects by.'),
    annotations: textMap('Keys and values that tools keep with the object.'),
    ownerReferences: {
      type: 'array',
      description: 'Objects that this one belongs to; it is collected when all of them are gone.',
      items: ownerReference,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'uid',
    },
    finalizers: {
      type: 'array',
      description: 'Work that must be done before the object may go.',
      items: { type: 'string' },
      'x-kubernetes-list-type': 'set',
      'x-kubernetes-patch-strategy': 'merge',
    },
    managedFields: {
      type: 'array',
      description: 'Who set which field.',
      items: managedFieldsEntry,
      'x-kubernetes-list-type': 'atomic',
    },
  },
};

const listMeta: Schema = {
  refName: listMetaName,
  type: 'object',
  description: 'What every list carries.',
  properties: {
    continue: text('Where the next page begins, when there is one.'),
    remainingItemCount: integer('How many items follow this page.'),
    resourceVersion: text('The version of the state that the list shows.'),
    selfLink: text('No longer set.'),
  },
};

const status: Schema = {
  refName: statusName,
  type: 'object',
  description: 'The outcome of a request that does not return an object.',
  properties: {
    apiVersion: apiVersionProperty,
    kind: kindProperty,
    metadata: listMeta,
    status: text('Success or Failure.'),
    message: text('What happened, for people.'),
    reason: text('What happened, for programs.'),
    code: { type: 'integer', format: 'int32', description: 'The HTTP status code.' },
    details: {
      refName: `${prefix}.StatusDetails`,
      type: 'object',
      description: 'More about the reason.',
      properties: {
        name: text('The name of the object.'),
        group: text('The group of the resource.'),
        kind: text('The resource or kind.'),
        uid: text('The UID of the object.'),
        retryAfterSeconds: { type: 'integer', format: 'int32', description: 'When to try again.' },
        causes: {
          type: 'array',
          description: 'Single causes, field by field.',
          'x-kubernetes-list-type': 'atomic',
          items: {
            refName: `${prefix}.StatusCause`,
            type: 'object',
            description: 'One cause.',
            properties: {
              field: text('The field.'),
              message: text('What is wrong with it, for people.'),
              reason: text('What is wrong with it, for programs.'),
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
  description: 'How to delete.',
  properties: {
    apiVersion: apiVersionProperty,
    kind: kindProperty,
    dryRun: {
      type: 'array',
      description: 'All: nothing is persisted.',
      items: { type: 'string' },
      'x-kubernetes-list-type': 'atomic',
    },
    gracePeriodSeconds: integer('How long the object may take to end by itself; zero deletes at once.'),
    orphanDependents: { type: 'boolean', description: 'Deprecated; use propagationPolicy.' },
    propagationPolicy: text('What happens to dependents: Orphan, Background or Foreground.'),
    preconditions: {
      refName: `${prefix}.Preconditions`,
      type: 'object',
      description: 'What must hold for the deletion to go ahead.',
      properties: { uid: text('The UID.'), resourceVersion: text('The resource version.') },
    },
  },
};

const patch: Schema = {
  refName: patchName,
  type: 'object',
  description: 'A patch in the form that its media type names.',
};

const scale: Schema = {
  refName: scaleName,
  type: 'object',
  description: 'The number of replicas of a scalable object.',
  properties: {
    apiVersion: apiVersionProperty,
    kind: kindProperty,
    metadata: objectMeta,
    spec: {
      refName: 'io.k8s.api.autoscaling.v1.ScaleSpec',
      type: 'object',
      properties: { replicas: { type: 'integer', format: 'int32', description: 'How many are wanted.' } },
    },
    status: {
      refName: 'io.k8s.api.autoscaling.v1.ScaleStatus',
      type: 'object',
      required: ['replicas'],
      properties: {
        replicas: { type: 'integer', format: 'int32', description: 'How many there are.' },
        selector: text('The label selector of the replicas.'),
      },
    },
  },
};

/** Types that every document refers to; a built-in definition of the same name goes before these. */
export const metaTypes: ReadonlyMap<string, Schema> = new Map(
  [objectMeta, listMeta, status, deleteOptions, patch, scale].map((schema) => [schema.refName ?? '', schema]),
);
