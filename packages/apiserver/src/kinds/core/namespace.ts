import { deepEqual, type FieldError, forbiddenField, invalidField, nameIsDnsLabel } from '@slipway/kube';
import type { WriteStrategy } from '../../contract/index.js';
import { allVerbs, defineBuiltin } from '../shared/define-builtin.js';
import { child, fields, type Fields, put, set, text, texts } from '../shared/fields.js';
import { ageColumn, column, nameColumn, printer } from '../shared/table.js';
import { qualifiedName } from '../shared/validation.js';

const nameLabel = 'kubernetes.io/metadata.name';
const kubernetesFinalizer = 'kubernetes';

export const namespaces = defineBuiltin({
  group: '',
  kind: 'Namespace',
  plural: 'namespaces',
  shortNames: ['ns'],
  namespaced: false,
  verbs: allVerbs.filter((verb) => verb !== 'deletecollection'),
  status: true,
  returnsDeleted: true,
  table: printer([nameColumn, column('Status', (object) => text(fields(object.status).phase)), ageColumn]),
  selectable: { 'status.phase': (object) => text(fields(object.status).phase) },
  subresources: [
    {
      name: 'finalize',
      kind: { group: '', version: 'v1', kind: 'Namespace' },
      verbs: ['update'],
      part: finalizeStrategy(),
    },
  ],
  strategy: {
    name: nameIsDnsLabel,
    defaults: enforceNameLabel,
    prepareCreate(namespace) {
      enforceNameLabel(namespace);
      namespace.status = { phase: 'Active' };
      const spec = child(namespace, 'spec');
      const finalizers = texts(spec.finalizers);
      if (!finalizers.includes(kubernetesFinalizer)) spec.finalizers = [...finalizers, kubernetesFinalizer];
    },
    prepareUpdate(namespace, old) {
      enforceNameLabel(namespace);
      // spec.finalizers can be changed through /finalize only.
      put(namespace, 'spec', old.spec);
    },
    prepareStatus: enforceNameLabel,
    validate: validateFinalizers,
    validateStatus,
    deletion: {
      beginDeletion: (namespace) => put(namespace, 'status', { ...fields(namespace.status), phase: 'Terminating' }),
      // The content of the namespace is deleted first; the namespace controller then empties this list through /finalize.
      holdsDeletion: (namespace) => texts(fields(namespace.spec).finalizers).length > 0,
    },
  },
});

/** Sets the kubernetes.io/metadata.name label to the name, because selectors rely on it. */
function enforceNameLabel(namespace: Fields): void {
  const metadata = child(namespace, 'metadata');
  // With generateName, the label is set once the name is generated.
  if (text(metadata.name) !== '') set(child(metadata, 'labels'), nameLabel, metadata.name);
}

function validateFinalizers(namespace: Fields): FieldError[] {
  return texts(fields(namespace.spec).finalizers).flatMap((finalizer) => validateFinalizer(finalizer));
}

function validateFinalizer(finalizer: string): FieldError[] {
  const errors = qualifiedName('spec.finalizers', finalizer);
  if (!finalizer.includes('/') && finalizer !== kubernetesFinalizer) {
    const why = 'name is neither a standard finalizer name nor is it fully qualified';
    errors.push(invalidField('spec.finalizers', finalizer, why));
  }
  return errors;
}

function validateStatus(namespace: Fields): FieldError[] {
  const phase = text(fields(namespace.status).phase);
  const deleting = text(fields(namespace.metadata).deletionTimestamp) !== '';
  if (deleting && phase !== 'Terminating') {
    return [invalidField('status.Phase', phase, "may only be 'Terminating' if `deletionTimestamp` is not empty")];
  }
  if (!deleting && phase !== 'Active') {
    return [invalidField('status.Phase', phase, "may only be 'Active' if `deletionTimestamp` is empty")];
  }
  return [];
}

/** Returns the strategy of PUT /finalize, the only way to change spec.finalizers. */
function finalizeStrategy(): WriteStrategy {
  return {
    prepareForUpdate(object, old) {
      put(object, 'status', old.status);
      enforceNameLabel(object);
    },
    validateUpdate(object, old) {
      const errors = validateFinalizers(object as Fields);
      const changed = !deepEqual(object.status, old.status);
      return changed ? [...errors, forbiddenField('status', 'may not be changed through finalize')] : errors;
    },
  };
}
