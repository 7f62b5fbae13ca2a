import { canonicalJson, cloneJson, deepFreeze, type Frozen, type KubeObject } from '@slipway/kube';
import fc from 'fast-check';
import type { KindAdmission } from '../admission/index.js';
import { everyFeature } from './admission.js';
import { arbitraryObjectOf } from './arbitrary-object.js';

/**
 * Whatever the schema allows can be judged without failing, and defaults settle at once: a second round of them, as
 * happens when a webhook is called again, changes nothing.
 */
export function checkAdmission(admission: KindAdmission, equal: (actual: string, expected: string) => void): void {
  const { kind } = admission;
  fc.assert(
    fc.property(arbitraryObjectOf(kind, kind.storageVersion), (object) => {
      const first = cloneJson(object) as KubeObject;
      admission.applyDefaults(first, undefined, everyFeature);
      const second = cloneJson(first) as KubeObject;
      admission.applyDefaults(second, deepFreeze(cloneJson(object)) as Frozen<KubeObject>, everyFeature);
      equal(canonicalJson(second), canonicalJson(first));
      const frozen = deepFreeze(first) as Frozen<KubeObject>;
      admission.validate(frozen, undefined, everyFeature);
      admission.validate(frozen, deepFreeze(cloneJson(object)) as Frozen<KubeObject>, everyFeature);
    }),
    { numRuns: 50 },
  );
}
