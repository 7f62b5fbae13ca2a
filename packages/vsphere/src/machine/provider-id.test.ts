import { describe, expect, it } from 'vitest';
import { biosUuidOf, providerIdOf } from './provider-id.js';

describe('provider IDs', () => {
  const uuid = '4230A650-3e67-4bdf-9b57-0f8c6f7c0f4a';

  it('keep the case of the UUID', () => {
    expect(providerIdOf(uuid)).toBe(`vsphere://${uuid}`);
    expect(biosUuidOf(`VSPHERE://${uuid}`)).toBe(uuid);
  });

  it.each(['', 'vsphere://', 'vsphere://abc', `aws://${uuid}`, `vsphere://${uuid}/x`])(
    '%j is not a provider ID',
    (id) => {
      expect(biosUuidOf(id)).toBeUndefined();
    },
  );

  it('require a UUID', () => {
    expect(() => providerIdOf('42 30 a6 50')).toThrow('invalid BIOS UUID');
  });
});
