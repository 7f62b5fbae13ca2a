import type { JsonObject } from '@slipway/kube';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { awsConversion } from './aws.js';

const facts = { infraName: 'demo', region: 'us-east-2' };
const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const flag = fc.boolean();
const some = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const filters = fc.array(fc.record({ name: word, values: fc.array(word, { minLength: 1 }) }), { minLength: 1 });
const reference = fc.oneof(fc.record({ id: word }), fc.record({ filters }));
const tags = fc.uniqueArray(fc.record({ name: word, value: word }), { selector: ({ name }) => name });
const sortedTags = tags.map((list) => [...list].sort((left, right) => (left.name < right.name ? -1 : 1)));
const key = fc.oneof(
  word.map((id) => ({ id })),
  word.map((name) => ({ arn: `arn:aws:kms:${name}` })),
);
const ebs = fc.record(
  {
    volumeSize: fc.integer({ min: 1, max: 4_000 }),
    volumeType: word,
    iops: fc.integer({ min: 1, max: 9 }),
    throughputMib: fc.integer({ min: 1, max: 9 }),
    encrypted: flag,
    kmsKey: key,
  },
  { requiredKeys: ['volumeSize'] },
);
const blockDevices = fc
  .tuple(some(ebs), fc.array(fc.record({ deviceName: word, ebs }), { maxLength: 3 }))
  .map(([root, others]) => [...(root ? [{ ebs: root }] : []), ...others])
  .filter((list) => list.length > 0);
const host = fc.oneof(
  fc.constant({
    affinity: 'DedicatedHost',
    dedicatedHost: { allocationStrategy: 'UserProvided', id: 'h-0123456789abcdef0' },
  }),
  fc.record({
    affinity: fc.constant('DedicatedHost'),
    dedicatedHost: fc.record({
      allocationStrategy: fc.constant('Dynamic'),
      dynamicHostAllocation: fc.record({ tags: sortedTags }),
    }),
  }),
);

/** Provider specs in normalized form, which round-trips. */
const providerSpec = fc
  .record({
    instanceType: some(word),
    marketType: some(fc.constantFrom('OnDemand', 'Spot', 'CapacityBlock')),
    capacityReservationId: some(word),
    placementGroupName: some(word),
    placementGroupPartition: some(fc.integer({ min: 1, max: 7 })),
    ami: word.map((id) => ({ id })),
    keyName: some(word),
    publicIp: some(flag),
    tags: some(sortedTags),
    iamInstanceProfile: some(word.map((id) => ({ id }))),
    securityGroups: some(fc.array(reference)),
    subnet: reference,
    zone: some(word),
    tenancy: some(fc.constantFrom('default', 'dedicated', 'host')),
    host: some(host),
    blockDevices: some(blockDevices),
    authentication: fc.constantFrom('Optional', 'Required'),
    spotMarketOptions: some(fc.oneof(fc.constant({}), fc.constant({ maxPrice: '0.5' }))),
    cpuOptions: some(fc.constant({ confidentialCompute: 'AMDEncryptedVirtualizationNestedPaging' })),
    networkInterfaceType: some(fc.constantFrom('ENA', 'EFA')),
    userDataSecret: some(word.map((name) => ({ name }))),
  })
  .map(({ zone, tenancy, host: placedOn, authentication, ...rest }) =>
    plain({
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'AWSMachineProviderConfig',
      ...rest,
      placement: { region: facts.region, availabilityZone: zone, tenancy, host: placedOn },
      metadataServiceOptions: { authentication },
      credentialsSecret: { name: 'aws-cloud-credentials' },
      deviceIndex: 0,
    }),
  );

function plain(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}

describe('machines on AWS', () => {
  it('round-trip through Cluster API [operators 41, operators 42]', () => {
    fc.assert(
      fc.property(providerSpec, (value) => {
        const converted = awsConversion.toCapi(value, facts);
        expect(converted.errors).toEqual([]);
        const back = awsConversion.toMapi(converted.value, facts);
        expect(back.errors).toEqual([]);
        expect(back.value).toEqual(value);
        // Converting back to Cluster API yields the same object.
        expect(plain(awsConversion.toCapi(back.value, facts).value)).toEqual(plain(converted.value));
      }),
    );
  });

  it('set all defaults of the provider [operators 41]', () => {
    const { value } = awsConversion.toCapi({ ami: { id: 'ami-1' } }, facts);
    expect(value.spec).toEqual({
      ami: { id: 'ami-1' },
      hostAffinity: 'default',
      ignition: { storageType: 'UnencryptedUserData' },
      instanceMetadataOptions: {
        httpEndpoint: 'enabled',
        httpPutResponseHopLimit: 1,
        httpProtocolIPv6: 'disabled',
        httpTokens: 'optional',
        instanceMetadataTags: 'disabled',
      },
    });
  });

  it.each([
    { name: 'an AMI by ARN', value: { ami: { arn: 'arn:x' } }, field: 'ami' },
    { name: 'no AMI', value: {}, field: 'ami.id' },
    {
      name: 'another region',
      value: { ami: { id: 'a' }, placement: { region: 'eu-west-1' } },
      field: 'placement.region',
    },
    {
      name: 'other credentials',
      value: { ami: { id: 'a' }, credentialsSecret: { name: 'mine' } },
      field: 'credentialsSecret.name',
    },
    { name: 'another device index', value: { ami: { id: 'a' }, deviceIndex: 1 }, field: 'deviceIndex' },
    { name: 'load balancers', value: { ami: { id: 'a' }, loadBalancers: [{ name: 'x' }] }, field: 'loadBalancers' },
    {
      name: 'an unknown interface',
      value: { ami: { id: 'a' }, networkInterfaceType: 'X' },
      field: 'networkInterfaceType',
    },
    {
      name: 'a volume that is kept after termination',
      value: {
        ami: { id: 'a' },
        blockDevices: [{ deviceName: 'b', ebs: { volumeSize: 1, deleteOnTermination: false } }],
      },
      field: 'blockDevices[0].ebs.deleteOnTermination',
    },
    {
      name: 'a virtual device',
      value: { ami: { id: 'a' }, blockDevices: [{ virtualName: 'e0', ebs: { volumeSize: 1 } }] },
      field: 'blockDevices[0].virtualName',
    },
  ])('are rejected with $name', ({ value, field }) => {
    const { errors } = awsConversion.toCapi(value, facts);
    expect(errors.map((error) => error.field)).toEqual([`spec.providerSpec.value.${field}`]);
  });

  it.each([
    ['uncompressedUserData', { uncompressedUserData: true }],
    ['cloudInit', { cloudInit: { insecureSkipSecretsManager: true } }],
    ['networkInterfaces', { networkInterfaces: ['eni-1'] }],
    ['ignition.proxy', { ignition: { proxy: { httpProxy: 'x' } } }],
    ['instanceMetadataOptions.httpEndpoint', { instanceMetadataOptions: { httpEndpoint: 'disabled' } }],
    ['hostAffinity', { hostID: 'h-01234567' }],
    ['hostID', { hostAffinity: 'host', hostID: 'nonsense' }],
    ['rootVolume.size', { rootVolume: { size: 3_000_000_000 } }],
  ])('of Cluster API are rejected with %s', (field, spec) => {
    const { errors } = awsConversion.toMapi({ spec: spec as unknown as JsonObject }, facts);
    expect(errors.map((error) => error.field)).toEqual([`spec.${field}`]);
  });

  it('warn about a root volume to keep and about devices without a disk', () => {
    const blockDevices = [{ ebs: { volumeSize: 1, deleteOnTermination: false } }, { deviceName: 'b' }];
    expect(awsConversion.toCapi({ ami: { id: 'a' }, blockDevices }, facts).warnings).toHaveLength(2);
  });

  it('read the instance ID from the end of the provider ID', () => {
    const known = awsConversion.toCapi({ ami: { id: 'a' } }, { ...facts, providerId: 'aws:///us-east-2a/i-123' });
    expect(known.value.spec).toMatchObject({ providerID: 'aws:///us-east-2a/i-123', instanceID: 'i-123' });
    const wrong = awsConversion.toCapi({ ami: { id: 'a' } }, { ...facts, providerId: 'gce://x' });
    expect(wrong.errors.map(({ field }) => field)).toEqual(['spec.providerID']);
  });
});
