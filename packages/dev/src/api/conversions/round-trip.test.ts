import { canonicalJson } from '@slipway/kube';
import { checkNewOldNew, checkOldNewOld } from '@slipway/testing/kinds';
import { describe, expect, it } from 'vitest';
import { devConversions } from './index.js';

// Compare as text: keys such as `constructor` confuse object comparison.
const equal = (actual: unknown, expected: unknown) => expect(canonicalJson(actual)).toBe(canonicalJson(expected));

describe.each(devConversions.map((conversion) => [conversion.kind.kind, conversion.version, conversion] as const))(
  '%s %s',
  (_kind, _version, conversion) => {
    it('converts from the old version and back without loss', () => {
      expect(() => checkNewOldNew(conversion, equal)).not.toThrow();
    });

    it('converts from the storage version and back without loss', () => {
      expect(() => checkOldNewOld(conversion, equal)).not.toThrow();
    });
  },
);
