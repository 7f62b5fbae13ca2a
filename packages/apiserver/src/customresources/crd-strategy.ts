import {
  type CustomResourceDefinition,
  deepEqual,
  defaultCustomResourceDefinition,
  type KubeObject,
  validateCustomResourceDefinition,
  validateCustomResourceDefinitionUpdate,
} from '@slipway/kube';
import type { WriteStrategy } from '../registry/index.js';
import { cleanupFinalizer, crdOf } from './crd.js';

/** How CustomResourceDefinition objects themselves are written. */
export const crdStrategy: WriteStrategy = {
  setDefaults: (object) => defaultCustomResourceDefinition(crdOf(object)),
  prepareForCreate(object) {
    const crd = crdOf(object);
    const storage = crd.spec.versions.find((version) => version.storage);
    crd.metadata.generation = 1;
    crd.status = {
      acceptedNames: { plural: '', kind: '' },
      conditions: [],
      storedVersions: storage === undefined ? [] : [storage.name],
    };
  },
  prepareForUpdate(object, old) {
    const crd = crdOf(object);
    const previous = crdOf(old);
    crd.status = { ...(previous.status as CustomResourceDefinition['status']) };
    const storage = crd.spec.versions.find((version) => version.storage)?.name;
    const stored = previous.status?.storedVersions ?? [];
    if (storage !== undefined && !stored.includes(storage)) crd.status.storedVersions = [...stored, storage];
    const changed = !deepEqual(crd.spec, previous.spec);
    crd.metadata.generation = (previous.metadata.generation ?? 1) + (changed ? 1 : 0);
  },
  validateCreate: (object) => validateCustomResourceDefinition(crdOf(object)),
  validateUpdate: (object, old) => validateCustomResourceDefinitionUpdate(crdOf(object), crdOf(old)),
  deletionFinalizers: () => [cleanupFinalizer],
};

/** /status: the only way to change storedVersions by hand, and never a way to change anything else. */
export const crdStatusStrategy: WriteStrategy = {
  prepareForUpdate(object, old) {
    const { status } = crdOf(object);
    const { managedFields, resourceVersion, labels, annotations } = object.metadata;
    for (const field of Object.keys(old)) if (field !== 'metadata') object[field] = old[field];
    if (status !== undefined) object['status'] = status;
    object.metadata = { ...(old.metadata as KubeObject['metadata']) };
    Object.assign(object.metadata, { managedFields, resourceVersion, labels, annotations });
  },
  validateUpdate: (object, old) => validateCustomResourceDefinitionUpdate(crdOf(object), crdOf(old)),
};
