import { describe, expect, it } from 'vitest';
import { checkAdmission, checkAdmissionOfOld } from '@slipway/testing/kinds';
import { devConversions } from '../api/index.js';
import { devAdmission } from './index.js';

describe('admission', () => {
  it.each(devAdmission.map((admission) => [admission.kind.kind, admission] as const))(
    '%s: validates every object that the schema allows, and defaulting is idempotent',
    (_kind, admission) => {
      expect(() => checkAdmission(admission, (actual, expected) => expect(actual).toBe(expected))).not.toThrow();
    },
  );

  const old = devConversions.flatMap((conversion) =>
    devAdmission
      .filter(({ kind }) => kind === conversion.kind)
      .map((admission) => ({ name: `${conversion.kind.kind} ${conversion.version}`, conversion, admission })),
  );
  it.each(old)('$name: validates every converted object of an old version', ({ admission, conversion }) => {
    expect(() => checkAdmissionOfOld(admission, conversion)).not.toThrow();
  });
});
