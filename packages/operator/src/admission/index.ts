import { defineAdmission, type KindAdmission } from '@slipway/cluster-api';
import { operatorKinds, type ProviderObject } from '../api/index.js';

/** Defaults the namespace of references to that of the provider. Nothing is validated, as in upstream. */
function applyDefaults({ spec, metadata }: ProviderObject): void {
  const { namespace = '' } = metadata;
  for (const reference of [spec?.configSecret, spec?.additionalManifests])
    if (reference !== undefined && (reference.namespace ?? '') === '') reference.namespace = namespace;
}

export const operatorAdmission: readonly KindAdmission[] = operatorKinds.map((kind) =>
  defineAdmission(kind, { defaults: (object) => applyDefaults(object as ProviderObject) }),
);
