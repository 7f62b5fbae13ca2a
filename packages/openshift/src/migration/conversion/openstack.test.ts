import type { JsonObject } from '@slipway/kube';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openStackConversion } from './openstack.js';

const facts = { infraName: 'demo' };
const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const some = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const fixedIp = fc.record({ subnetID: word, ipAddress: word }, { requiredKeys: ['subnetID'] });
const port = fc.record(
  {
    networkID: word,
    nameSuffix: word,
    description: word,
    adminStateUp: fc.boolean(),
    macAddress: word,
    fixedIPs: fc.array(fixedIp),
    tags: fc.array(word),
    trunk: fc.boolean(),
    allowedAddressPairs: fc.array(fc.record({ ipAddress: word })),
    vnicType: word,
    portSecurity: fc.boolean(),
    securityGroups: fc.array(word),
    profile: fc.constantFrom(
      { capabilities: '["switchdev"]' },
      { trusted: 'true' },
      { capabilities: '["switchdev"]', trusted: 'true' },
    ),
  },
  { requiredKeys: ['networkID'] },
);
const group = fc.oneof(
  word.map((uuid) => ({ uuid })),
  word.map((name) => ({ name })),
  fc.record({ name: word, filter: fc.record({ description: word }) }),
);
const volume = fc.record(
  { diskSize: fc.integer({ min: 1, max: 99 }), volumeType: word, availabilityZone: word },
  { requiredKeys: ['diskSize'] },
);
const device = fc.oneof(
  fc.record({ name: word, sizeGiB: fc.nat(9), storage: fc.constant({ type: 'Local' }) }),
  fc.record({
    name: word,
    sizeGiB: fc.nat(9),
    storage: fc.record({
      type: fc.constant('Volume'),
      volume: fc.record({ type: word, availabilityZone: word }, { requiredKeys: ['type'] }),
    }),
  }),
);

const providerSpec = fc
  .record({
    flavor: word,
    image: word,
    cloudName: word,
    cloudsSecret: word.map((name) => ({ name })),
    ports: some(fc.array(port, { minLength: 1, maxLength: 3 })),
    securityGroups: some(fc.array(group)),
    rootVolume: some(volume),
    additionalBlockDevices: some(fc.array(device)),
    server: some(
      fc.oneof(
        word.map((serverGroupID) => ({ serverGroupID })),
        word.map((serverGroupName) => ({ serverGroupName })),
      ),
    ),
    serverMetadata: some(fc.dictionary(word, word)),
    configDrive: some(fc.boolean()),
    trunk: some(fc.constant(true)),
    tags: some(fc.array(word)),
    keyName: some(word),
    availabilityZone: some(word),
    userDataSecret: some(word.map((name) => ({ name }))),
  })
  .map(({ server, ...rest }) =>
    plain({ apiVersion: 'machine.openshift.io/v1alpha1', kind: 'OpenstackProviderSpec', ...rest, ...server }),
  );

function plain(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}

describe('machines on OpenStack', () => {
  it('round-trip through Cluster API [operators 42]', () => {
    fc.assert(
      fc.property(providerSpec, (value) => {
        const converted = openStackConversion.toCapi(value, facts);
        expect(converted.errors).toEqual([]);
        const back = openStackConversion.toMapi(converted.value, facts);
        expect(back.errors).toEqual([]);
        expect(back.value).toEqual(value);
        expect(plain(openStackConversion.toCapi(back.value, facts).value)).toEqual(plain(converted.value));
      }),
    );
  });

  it('have a port for each network, or for each subnet without a network, after explicit ports', () => {
    const { value } = openStackConversion.toCapi(
      {
        ports: [{ networkID: 'first' }],
        networks: [
          { uuid: 'n1', subnets: [{ uuid: 's1' }, { uuid: 's2' }], portSecurity: false, vnicType: 'direct' },
          {
            subnets: [{ uuid: 's3' }, { filter: { name: 'x', tags: 'a,b', tenantId: 't' } }],
            noAllowedAddressPairs: true,
          },
        ],
      },
      facts,
    );
    expect(value.spec['ports']).toEqual([
      { network: { id: 'first' } },
      {
        network: { id: 'n1' },
        fixedIPs: [{ subnet: { id: 's1' } }, { subnet: { id: 's2' } }],
        disablePortSecurity: true,
        vnicType: 'direct',
      },
      { fixedIPs: [{ subnet: { id: 's3' } }], allowedAddressPairs: [] },
      { fixedIPs: [{ subnet: { filter: { name: 'x', projectID: 't', tags: ['a', 'b'] } } }], allowedAddressPairs: [] },
    ]);
  });

  it.each([
    ['flavorID', { flavorID: 'x' }],
    ['image', { image: { id: 'x' } }],
    ['ports[0].network.filter', { ports: [{ network: { filter: { name: 'x' } } }] }],
    ['ports[0].securityGroups', { ports: [{ securityGroups: [{ filter: { name: 'x' } }] }] }],
    ['ports[0].fixedIPs[0].subnet.filter', { ports: [{ fixedIPs: [{ subnet: { filter: { name: 'x' } } }] }] }],
    ['rootVolume.availabilityZone.from', { rootVolume: { sizeGiB: 1, availabilityZone: { from: 'Machine' } } }],
  ])('of Cluster API are rejected with %s', (field, spec) => {
    const { errors } = openStackConversion.toMapi({ spec: spec as unknown as JsonObject }, facts);
    expect(errors.map((error) => error.field)).toEqual([`spec.${field}`]);
  });
});
