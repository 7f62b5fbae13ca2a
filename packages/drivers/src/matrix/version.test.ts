import { describe, expect, it } from 'vitest';
import { compareVersions, isWithin, kubernetesMinor, vsphereVersion } from './version.js';

describe('versions', () => {
  it('sorts 2.10 after 2.9', () => {
    expect(['2.10.0', '2.9.1', '3.0.0', '2.9.10'].sort(compareVersions)).toEqual([
      '2.9.1',
      '2.9.10',
      '2.10.0',
      '3.0.0',
    ]);
  });

  it('ignores the suffix of the Kubernetes minor version', () => {
    expect(kubernetesMinor('1', '27+')).toBe('1.27');
    expect(kubernetesMinor('1', '36')).toBe('1.36');
  });

  const ranges = [
    { version: '8.0.3', min: '6.7.3', max: '8.0', then: true, why: 'two parts mean any patch' },
    { version: '8.0.2', min: '6.7.1', max: '8.0.1', then: false, why: 'three parts are exact' },
    { version: '6.7.3', min: '6.7.3', max: '9.99', then: true, why: 'the lower end belongs to it' },
    { version: '6.7.0', min: '6.7.3', max: '9.99', then: false, why: 'below' },
    { version: '9.0.0', min: '7.0.2', max: '9.99', then: true, why: 'open upwards' },
    { version: '8.0.3.1', min: '7.0', max: '8.0.3', then: true, why: 'a fourth part is left out' },
  ];
  it.each(ranges)('$version in $min to $max: $why [drivers 10]', ({ version, min, max, then }) => {
    expect(isWithin(version, { min, max })).toBe(then);
  });

  const abouts = [
    { version: '6.7.0', apiVersion: '6.7.3', then: '6.7.3' },
    { version: '8.0.2', apiVersion: '8.0.2.0', then: '8.0.2' },
    { version: '8.0.2', apiVersion: '8.0.0.1', then: '8.0.2' },
    { version: '6.5.0', apiVersion: '7.0', then: '7.0.0' },
  ];
  it.each(abouts)('version $version and apiVersion $apiVersion is $then [drivers 10]', ({ then, ...about }) => {
    expect(vsphereVersion(about)).toBe(then);
  });
});
