import { describe, expect, it } from 'vitest';
import { checkAdmission, checkAdmissionOfOld } from '@slipway/testing/kinds';
import { vsphereConversions } from '../api/index.js';
import { createVSphereAdmission } from './index.js';

const admissions = createVSphereAdmission().map((admission) => ({
  name: `${admission.kind.group} ${admission.kind.kind}`,
  admission,
}));

describe('admission', () => {
  it.each(admissions)(
    '$name: validates any object that the schema allows, with idempotent defaults',
    ({ admission }) => {
      expect(() => checkAdmission(admission, (actual, desired) => expect(actual).toBe(desired))).not.toThrow();
    },
  );

  const old = vsphereConversions.flatMap((conversion) =>
    admissions
      .filter(({ admission }) => admission.kind === conversion.kind)
      .map(({ name, admission }) => ({ name: `${name} ${conversion.version}`, conversion, admission })),
  );
  it.each(old)('$name: validates converted objects', ({ admission, conversion }) => {
    expect(() => checkAdmissionOfOld(admission, conversion)).not.toThrow();
  });
});
