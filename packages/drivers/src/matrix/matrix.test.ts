import { describe, expect, it } from 'vitest';
import { parseMatrix, readMatrix } from './matrix.js';
import { shippedMatrixText } from './shipped-matrix.js';

const row = { vSphere: { min: '7.0.2', max: '9.99' }, deploymentPath: ['https://a/b.yaml'] };
const matrix = (csi: object, cpi: object = {}): string => JSON.stringify({ schemaVersion: 2, CSI: csi, CPI: cpi });

describe('a compatibility matrix', () => {
  it('is shipped, and is valid', () => {
    const { entries, revision } = parseMatrix(shippedMatrixText());
    expect(revision).toBe('2026.08');
    expect(entries.csi.map(({ version }) => version)).toContain('3.8.0');
    expect(entries.cpi.find(({ version }) => version === '1.36.0')?.kubernetes).toEqual({ min: '1.36', max: '1.36' });
  });

  it('may be in the public format', () => {
    const text = JSON.stringify({
      CSI: {
        '2.7.0': {
          vSphere: { min: '6.7.1', max: '8.0.1' },
          k8s: { min: '1.23', max: '1.25' },
          isCPIRequired: false,
          deploymentPath: ['https://example.com/namespace.yaml', 'https://example.com/driver.yaml'],
        },
      },
      CPI: {
        '1.24.0': {
          vSphere: { min: '6.7.1', max: '8.0' },
          k8s: { skewVersion: '1.24' },
          deploymentPath: ['file:///a'],
        },
      },
    });
    const { entries, revision } = parseMatrix(text);
    expect(revision).toBe('unnamed');
    expect(entries.csi[0]).toMatchObject({
      version: '2.7.0',
      channel: 'latest',
      kubernetes: { min: '1.23', max: '1.25' },
    });
    expect(entries.cpi[0]?.kubernetes).toEqual({ min: '1.24', max: '1.24' });
  });

  it('may be YAML, and may have unknown fields', () => {
    expect(
      parseMatrix(
        'CSI:\n  3.8.0:\n    vSphere: {min: "7.0", max: "9.0"}\n    k8s: {min: "1.30", max: "1.31"}\n    colour: red\n    deploymentPath: [a]\n',
      ).entries.csi,
    ).toHaveLength(1);
  });

  const k8s = { min: '1.30', max: '1.31' };
  const bad = [
    {
      name: 'HTML of a proxy',
      text: '<html><body>Log in</body></html>',
      expected: 'check whether a proxy returned an HTML page',
    },
    { name: 'an unknown schema', text: '{"schemaVersion":3,"CSI":{}}', expected: 'unsupported schemaVersion 3' },
    { name: 'neither driver', text: '{}', expected: 'neither the key CSI nor the key CPI' },
    {
      name: 'a version of two parts',
      text: matrix({ '3.8': { ...row, k8s } }),
      expected: 'CSI.3.8: the key must be a version such as 3.8.0',
    },
    {
      name: 'no file',
      text: matrix({ '3.8.0': { ...row, k8s, deploymentPath: [] } }),
      expected: 'deploymentPath must not be empty',
    },
    {
      name: 'a minimum above the maximum',
      text: matrix({ '3.8.0': { ...row, k8s: { min: '1.36', max: '1.30' } } }),
      expected: 'k8s.min 1.36 is above k8s.max 1.30',
    },
    {
      name: 'a skewVersion outside its range',
      text: matrix({}, { '1.36.0': { ...row, k8s: { skewVersion: '1.36', ...k8s } } }),
      expected: 'contradicts min 1.30 and max 1.31',
    },
    {
      name: 'a single digest for two files',
      text: matrix({ '3.8.0': { ...row, k8s, deploymentPath: ['a', 'b'], sha256: ['0'.repeat(64)] } }),
      expected: 'must have the same number of entries',
    },
    {
      name: 'a missing replacement',
      text: matrix({ '3.8.0': { ...row, k8s, withdrawn: { reason: 'CVE', replacement: '3.8.1' } } }),
      expected: 'replacement 3.8.1 is not in the matrix',
    },
    {
      name: 'a withdrawn replacement',
      text: matrix({
        '3.8.0': { ...row, k8s, withdrawn: { reason: 'CVE', replacement: '3.8.1' } },
        '3.8.1': { ...row, k8s, withdrawn: { reason: 'CVE' } },
      }),
      expected: 'is withdrawn as well',
    },
    { name: 'a duplicate version', text: '{"CSI":{"3.8.0":{},"3.8.0":{}}}', expected: 'duplicate key' },
  ];
  it.each(bad)('rejects $name [drivers 26]', ({ text, expected }) => {
    expect(readMatrix(text).problems.join('\n')).toContain(expected);
    expect(() => parseMatrix(text)).toThrow(expected);
  });
});
