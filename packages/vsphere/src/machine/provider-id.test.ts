import { describe, expect, it } from 'vitest';
import { biosUuidOf, providerIdOf } from './provider-id.js';

describe('provider IDs', () => {
  const uuid = '4230A650-3e67-4bdf-9b57-0f8c6f7c0f4a';

  it('keep the letters of the UUID as they come', () => {
    expect(providerIdOf(uuid)).toBe(`vsphere://${uuid}`);
    expect(biosUuidOf(`VSPHERE://${uuid}`)).toBe(uuid);
  });

  it.each(['', 'vsphere://', 'vsphere://abc', `aws://${uuid}`, `vsphere://${uuid}/x`])('%j is none', (id) => {
    expect(biosUuidOf(id)).toBeUndefined();
  });

  it('are not made of anything else', () => {
    expect(() => providerIdOf('42 30 a6 50')).toThrow('is none');
  });
});
