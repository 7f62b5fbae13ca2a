import { checkAdmission, checkAdmissionOfOld } from '@slipway/cluster-api/testing';
import { describe, expect, it } from 'vitest';
import { kubeadmConversions } from '../api/index.js';
import { kubeadmAdmission } from './index.js';

describe('admission', () => {
  it.each(kubeadmAdmission.map((admission) => [admission.kind.kind, admission] as const))(
    '%s: judges whatever the schema allows, and defaults settle at once',
    (_kind, admission) => {
      expect(() => checkAdmission(admission, (actual, wanted) => expect(actual).toBe(wanted))).not.toThrow();
    },
  );

  const old = kubeadmConversions.flatMap((conversion) =>
    kubeadmAdmission
      .filter(({ kind }) => kind === conversion.kind)
      .map((admission) => ({ name: `${conversion.kind.kind} ${conversion.version}`, conversion, admission })),
  );
  it.each(old)('$name: judges what becomes of an old object', ({ admission, conversion }) => {
    expect(() => checkAdmissionOfOld(admission, conversion)).not.toThrow();
  });
});
