import { checkAdmission, checkAdmissionOfOld } from '../testing/index.js';
import { describe, expect, it } from 'vitest';
import { clusterApiConversions } from '../api/index.js';
import { clusterApiAdmission } from './index.js';

describe('admission', () => {
  it.each(clusterApiAdmission.map((admission) => [admission.kind.kind, admission] as const))(
    '%s: judges whatever the schema allows, and defaults settle at once',
    (_kind, admission) => {
      expect(() => checkAdmission(admission, (actual, wanted) => expect(actual).toBe(wanted))).not.toThrow();
    },
  );

  const old = clusterApiConversions.flatMap((conversion) =>
    clusterApiAdmission
      .filter(({ kind }) => kind === conversion.kind)
      .map((admission) => ({ name: `${conversion.kind.kind} ${conversion.version}`, conversion, admission })),
  );
  it.each(old)('$name: judges what becomes of an old object', ({ admission, conversion }) => {
    expect(() => checkAdmissionOfOld(admission, conversion)).not.toThrow();
  });
});
