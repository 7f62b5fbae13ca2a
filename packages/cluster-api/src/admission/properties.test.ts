import { describe, expect, it } from 'vitest';
import { checkAdmission, checkAdmissionOfOld } from '@slipway/testing/kinds';
import { clusterApiConversions } from '../api/index.js';
import { clusterApiAdmission } from './index.js';

describe('admission', () => {
  it.each(clusterApiAdmission.map((admission) => [admission.kind.kind, admission] as const))(
    '%s: validates every object that the schema allows, and defaulting is idempotent',
    (_kind, admission) => {
      expect(() => checkAdmission(admission, (actual, desired) => expect(actual).toBe(desired))).not.toThrow();
    },
  );

  const old = clusterApiConversions.flatMap((conversion) =>
    clusterApiAdmission
      .filter(({ kind }) => kind === conversion.kind)
      .map((admission) => ({ name: `${conversion.kind.kind} ${conversion.version}`, conversion, admission })),
  );
  it.each(old)('$name: validates objects converted from an old version', ({ admission, conversion }) => {
    expect(() => checkAdmissionOfOld(admission, conversion)).not.toThrow();
  });
});
