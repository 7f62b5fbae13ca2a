import { defineAdmission, type KindAdmission } from '@slipway/cluster-api';
import { operatorKinds, type ProviderObject } from '../api/index.js';

/** References point into the provider's own namespace unless they say otherwise. Upstream refuses nothing. */
function applyDefaults({ spec, metadata }: ProviderObject): void {
  const { namespace = '' } = metadata;
  for (const reference of [spec?.configSecret, spec?.additionalManifests])
    if (reference !== undefined && (reference.namespace ?? '') === '') reference.namespace = namespace;
}

export const operatorAdmission: readonly KindAdmission[] = operatorKinds.map((kind) =>
  defineAdmission(kind, { defaults: (object) => applyDefaults(object as ProviderObject) }),
);
