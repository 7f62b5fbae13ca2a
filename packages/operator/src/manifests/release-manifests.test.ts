import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseOciReference } from './oci-reference.js';
import { packText, unpackParts } from './packed-text.js';
import { catalogueOf, manifestConfigMaps, newestOf, readRelease, storedFor } from './release-manifests.js';

const of = { type: 'RuntimeExtensionProvider', name: 'ext' } as const;
const place = { namespace: 'n' };
const release = (
  components: string,
  version = 'v1.2.3',
): { version: string; metadata: string; components: string } => ({
  version,
  metadata: 'metadata',
  components,
});

describe('manifests in ConfigMaps', () => {
  it('have the provider type in the spelling of ConfigMaps [operators 10]', () => {
    const [map] = manifestConfigMaps(of, release('a'), place);
    expect(map?.metadata).toMatchObject({
      name: 'runtimeextension-ext-v1.2.3',
      labels: {
        'provider.cluster.x-k8s.io/type': 'runtimeextension',
        'provider.cluster.x-k8s.io/name': 'ext',
        'provider.cluster.x-k8s.io/version': 'v1.2.3',
        'managed-by.operator.cluster.x-k8s.io': 'true',
      },
    });
    expect(map?.data).toEqual({ metadata: 'metadata', components: 'a' });
  });

  it('compresses only components larger than 1 MiB [operators 17]', () => {
    const large = 'x'.repeat(1_048_576);
    const source = { url: 'host/a', isOci: true };
    const maps = manifestConfigMaps(of, release(large), { ...place, source });
    expect(maps).toHaveLength(1);
    expect(maps[0]?.metadata.annotations).toEqual({
      'provider.cluster.x-k8s.io/compressed': 'true',
      'provider.cluster.x-k8s.io/source': 'host/a',
    });
    expect(maps[0]?.data).toEqual({ metadata: 'metadata' });
    expect(Object.keys(maps[0]?.binaryData ?? {})).toEqual(['components']);
    expect(readRelease('v1.2.3', maps).components).toBe(large);
    const [small] = manifestConfigMaps(of, release('x'.repeat(1_048_576 - 'metadata'.length)), place);
    expect(small?.binaryData).toBeUndefined();
  });

  it('splits manifests that do not fit into one ConfigMap', () => {
    const large = randomBytes(1_500_000).toString('base64');
    const maps = manifestConfigMaps(of, release(large), place);
    expect(maps.length).toBeGreaterThan(1);
    for (const map of maps) expect(JSON.stringify(map).length).toBeLessThan(1_400_000);
    expect(readRelease('v1.2.3', [...maps].reverse()).components).toBe(large);
    expect(() => readRelease('v1.2.3', maps.slice(1))).toThrow(`part 1 of ${maps.length} of version v1.2.3 is missing`);
  });

  it('keep a version that is not a valid label value', () => {
    const maps = manifestConfigMaps(of, release('a', 'v1.2.3+slipway.1'), place);
    expect(maps[0]?.metadata.name).toBe('runtimeextension-ext-v1.2.3-slipway.1');
    expect([...catalogueOf(maps).keys()]).toEqual(['v1.2.3+slipway.1']);
  });

  it('are grouped by version', () => {
    const maps = ['v1.2.3', 'v1.10.0', 'v1.9.9'].flatMap((version) =>
      manifestConfigMaps(of, release(version, version), place),
    );
    expect(newestOf(catalogueOf(maps))).toBe('v1.10.0');
    expect(storedFor(maps, '1.9.9').map(({ metadata }) => metadata.name)).toEqual(['runtimeextension-ext-v1.9.9']);
  });

  it('rejects two ConfigMaps of one version [operators 5]', () => {
    const [map] = manifestConfigMaps(of, release('a'), place);
    const twin = { ...map, metadata: { ...map?.metadata, name: 'twin' } } as NonNullable<typeof map>;
    expect(() => readRelease('v1.2.3', [map as NonNullable<typeof map>, twin])).toThrow(
      'ConfigMaps runtimeextension-ext-v1.2.3 and twin both contain version v1.2.3: remove one, or narrow',
    );
  });

  const bad: { name: string; map: object; then: string }[] = [
    {
      name: 'an invalid version',
      map: { metadata: { name: 'a', labels: { 'provider.cluster.x-k8s.io/version': 'latest' } } },
      then: 'ConfigMap a: provider.cluster.x-k8s.io/version is "latest", which is not a semantic version',
    },
    { name: 'no version at all', map: { metadata: { name: 'a' } }, then: 'ConfigMap a has no label' },
    { name: 'no metadata', map: { metadata: { name: 'v1.0.0' } }, then: 'ConfigMap v1.0.0 has no key "metadata"' },
    {
      name: 'no components',
      map: { metadata: { name: 'v1.0.0' }, data: { metadata: 'm' } },
      then: 'ConfigMap v1.0.0 has no key "components"',
    },
    {
      name: 'data that is not gzip',
      map: {
        metadata: { name: 'v1.0.0', annotations: { 'provider.cluster.x-k8s.io/compressed': 'true' } },
        data: { metadata: 'm' },
        binaryData: { components: 'AAAA' },
      },
      then: 'ConfigMap v1.0.0: components is not gzip',
    },
  ];
  it.each(bad)('reports an invalid ConfigMap: $name', ({ map, then }) => {
    const item = map as Parameters<typeof catalogueOf>[0][number];
    expect(() => [...catalogueOf([item])].map(([version, items]) => readRelease(version, items))).toThrow(then);
  });

  it('splits a cache by the size of its JSON [operators 17]', () => {
    const packed = packText('y'.repeat(1_048_577));
    expect(packed.compressed && unpackParts(packed.parts)).toHaveLength(1_048_577);
    expect(packText('y'.repeat(1_048_576)).compressed).toBe(false);
  });
});

describe('OCI artifact references', () => {
  const rows: { text: string; then: ReturnType<typeof parseOciReference> }[] = [
    { text: 'ghcr.io/a/b', then: { host: 'ghcr.io', repository: 'a/b' } },
    { text: 'ghcr.io/a/b:v1', then: { host: 'ghcr.io', repository: 'a/b', reference: 'v1' } },
    { text: 'host:5000/a', then: { host: 'host:5000', repository: 'a' } },
    { text: 'host:5000/a:v1', then: { host: 'host:5000', repository: 'a', reference: 'v1' } },
    { text: 'http://host:5000/a:v1', then: { host: 'http://host:5000', repository: 'a', reference: 'v1' } },
    { text: 'oci://host/a', then: { host: 'host', repository: 'a' } },
    { text: 'host/a@sha256:ab', then: { host: 'host', repository: 'a', reference: 'sha256:ab' } },
    { text: 'a:v1', then: undefined },
    { text: '', then: undefined },
  ];
  it.each(rows)('"$text"', ({ text, then }) => {
    expect(parseOciReference(text)).toEqual(then);
  });
});
