import { checkAdmission } from '@slipway/cluster-api/testing';
import { describe, expect, it } from 'vitest';
import { kubeadmAdmission } from './index.js';

describe('admission', () => {
  it.each(kubeadmAdmission.map((admission) => [admission.kind.kind, admission] as const))(
    '%s: judges whatever the schema allows, and defaults settle at once',
    (_kind, admission) => {
      expect(() => checkAdmission(admission, (actual, wanted) => expect(actual).toBe(wanted))).not.toThrow();
    },
  );
});
