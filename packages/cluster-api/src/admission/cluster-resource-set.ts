import { type FieldError, forbiddenField } from '@slipway/kube';
import { type ClusterResourceSet, clusterResourceSet } from '../api/cluster-resource-set.js';
import { type ClusterResourceSetBinding, clusterResourceSetBinding } from '../api/cluster-resource-set-binding.js';
import { defineAdmission } from './admission.js';
import { validateImmutable, validateSelector } from './common.js';

function defaultClusterResourceSet(object: ClusterResourceSet): void {
  object.spec.strategy ??= 'ApplyOnce';
}

function validateClusterResourceSet(object: ClusterResourceSet, old: ClusterResourceSet | undefined): FieldError[] {
  return [
    ...validateSelector('spec.clusterSelector', object.spec.clusterSelector),
    ...(old === undefined
      ? []
      : [
          ...validateImmutable('spec.strategy', object.spec.strategy, old.spec.strategy),
          ...validateImmutable('spec.clusterSelector', object.spec.clusterSelector, old.spec.clusterSelector),
        ]),
  ];
}

function validateClusterResourceSetBinding(
  object: ClusterResourceSetBinding,
  old: ClusterResourceSetBinding | undefined,
): FieldError[] {
  const former = old?.spec.clusterName;
  // Bindings created by early releases have no clusterName. It may be added later, but not changed.
  if (former === undefined || former === '' || former === object.spec.clusterName) return [];
  return [forbiddenField('spec.clusterName', 'field is immutable')];
}

export const clusterResourceSetAdmission = defineAdmission(clusterResourceSet, {
  defaults: defaultClusterResourceSet,
  validate: validateClusterResourceSet,
});

export const clusterResourceSetBindingAdmission = defineAdmission(clusterResourceSetBinding, {
  validate: validateClusterResourceSetBinding,
});
