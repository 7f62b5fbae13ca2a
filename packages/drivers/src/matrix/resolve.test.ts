import { describe, expect, it } from 'vitest';
import { parseMatrix } from './matrix.js';
import { resolveVersion, type VersionQuestion } from './resolve.js';
import { shippedMatrixText } from './shipped-matrix.js';

type Row = readonly [version: string, min: string, max: string, more?: object];
const csi = (...rows: readonly Row[]): ReturnType<typeof parseMatrix> =>
  parseMatrix(
    JSON.stringify({
      CSI: Object.fromEntries(
        rows.map(([version, min, max, more]) => [
          version,
          { vSphere: { min: '7.0.2', max: '8.0' }, k8s: { min, max }, deploymentPath: ['a'], ...more },
        ]),
      ),
    }),
  );
const around = (kubernetes: string, ...versions: readonly string[]) => ({
  kubernetes,
  vCenters: versions.map((version, place) => ({ server: `vc${place + 1}`, version })),
  hasCloudProvider: true,
});
const three = csi(['2.9.0', '1.28', '1.30'], ['2.10.0', '1.29', '1.31', { channel: 'lts' }], ['3.0.0', '1.30', '1.32']);
const ask = (more: Partial<VersionQuestion>) =>
  resolveVersion({ matrix: three, driver: 'csi', around: around('1.30', '8.0.3'), policy: 'latest', ...more });
const withdrawn = csi(['2.9.0', '1.28', '1.32'], ['3.0.0', '1.30', '1.32', { withdrawn: { reason: 'CVE-1' } }]);
const steps = csi(
  ['2.0.0', '1.30', '1.30'],
  ['2.5.0', '1.30', '1.30', { upgradeFrom: '>=2.0.0' }],
  ['3.0.0', '1.30', '1.30', { upgradeFrom: '>=2.5.0' }],
);

describe('the choice of a version', () => {
  const rows: {
    name: string;
    given: Partial<VersionQuestion>;
    version?: string;
    reason?: string;
    available?: string;
  }[] = [
    { name: 'chooses the highest compatible version', given: {}, version: '3.0.0' },
    { name: 'orders 2.10 above 2.9', given: { around: around('1.29', '8.0.3') }, version: '2.10.0' },
    {
      name: 'requires compatibility with every vCenter',
      given: { around: around('1.30', '8.0.3', '6.7.3') },
      reason: 'NoCompatibleCSI',
    },
    { name: 'chooses an LTS version', given: { policy: 'lts' }, version: '2.10.0' },
    {
      name: 'installs another version if there is no LTS version',
      given: { policy: 'lts', around: around('1.32', '8.0') },
      version: '3.0.0',
    },
    {
      name: 'keeps a compatible version if there is no LTS version',
      given: { policy: 'lts', matrix: withdrawn, installed: '2.9.0' },
      version: '2.9.0',
    },
    { name: 'upgrades', given: { installed: '2.9.0' }, version: '3.0.0' },
    {
      name: 'reports an upgrade that the policy disables',
      given: { installed: '2.9.0', policy: 'disabled' },
      version: '2.9.0',
      available: '3.0.0',
    },
    {
      name: 'waits for the maintenance window',
      given: { installed: '2.9.0', mayUpgradeNow: false },
      version: '2.9.0',
      available: '3.0.0',
    },
    {
      name: 'keeps an incompatible version if updates are disabled',
      given: { installed: '2.9.0', policy: 'disabled', around: around('1.31', '8.0') },
      version: '2.9.0',
      reason: 'UpgradeRequired',
      available: '3.0.0',
    },
    {
      name: 'replaces an incompatible version',
      given: { installed: '2.9.0', around: around('1.31', '8.0') },
      version: '3.0.0',
    },
    {
      name: 'never downgrades automatically',
      given: { installed: '3.0.0', around: around('1.28', '8.0') },
      version: '3.0.0',
      reason: 'UpgradeRequired',
      available: '2.9.0',
    },
    {
      name: 'keeps the installed version if none is compatible',
      given: { installed: '3.0.0', around: around('1.40', '8.0') },
      version: '3.0.0',
      reason: 'NoCompatibleCSI',
    },
    { name: 'pins', given: { pin: 'v2.9.0' }, version: '2.9.0' },
    { name: 'keeps a pinned version', given: { pin: '2.9.0', installed: '2.9.0' }, version: '2.9.0' },
    { name: 'downgrades to a pinned version', given: { pin: '2.9.0', installed: '3.0.0' }, version: '2.9.0' },
    {
      name: 'rejects a pin without templates',
      given: { pin: '9.9.9', installed: '2.9.0' },
      version: '2.9.0',
      reason: 'PinnedVersionMissing',
    },
    {
      name: 'rejects an incompatible pin',
      given: { pin: '2.9.0', around: around('1.32', '8.0') },
      reason: 'PinnedVersionIncompatible',
    },
    {
      name: 'accepts an incompatible pin with the annotation',
      given: { pin: '2.9.0', around: around('1.32', '8.0'), allowIncompatible: true },
      version: '2.9.0',
    },
    { name: 'rejects a withdrawn pin', given: { matrix: withdrawn, pin: '3.0.0' }, reason: 'Withdrawn' },
    { name: 'never installs a withdrawn version', given: { matrix: withdrawn }, version: '2.9.0' },
    {
      name: 'replaces a withdrawn version, even with an older one',
      given: { matrix: withdrawn, installed: '3.0.0' },
      version: '2.9.0',
    },
    {
      name: 'replaces a withdrawn version under every policy',
      given: { matrix: withdrawn, installed: '3.0.0', policy: 'disabled' },
      version: '2.9.0',
    },
    {
      name: 'keeps a withdrawn version without a compatible replacement',
      given: { matrix: csi(['3.0.0', '1.30', '1.32', { withdrawn: { reason: 'CVE' } }]), installed: '3.0.0' },
      version: '3.0.0',
      reason: 'Withdrawn',
    },
    {
      name: 'upgrades in steps',
      given: { matrix: steps, installed: '2.0.0', around: around('1.30', '8.0') },
      version: '2.5.0',
      available: '3.0.0',
    },
    {
      name: 'does not skip steps for a pin',
      given: { matrix: steps, installed: '2.0.0', pin: '3.0.0', around: around('1.30', '8.0') },
      version: '2.0.0',
      reason: 'UpgradeBlocked',
    },
    {
      name: 'does not downgrade below the minimum of features in use',
      given: { pin: '2.9.0', installed: '3.0.0', floors: [{ version: '3.0.0', because: 'two vCenters are in use' }] },
      version: '3.0.0',
      reason: 'DowngradeBlocked',
    },
    {
      name: 'requires a CPI where the entry does',
      given: {
        matrix: csi(['3.0.0', '1.30', '1.32', { isCPIRequired: true }]),
        around: { ...around('1.30', '8.0'), hasCloudProvider: false },
      },
      reason: 'NoCompatibleCSI',
    },
  ];
  it.each(rows)('$name', ({ given, version, reason, available }) => {
    const resolution = ask(given);
    expect({
      version: resolution.entry?.version,
      reason: resolution.problem?.reason,
      available: resolution.available,
    }).toEqual({ version, reason, available });
  });

  it('follows Kubernetes with the CPI, forwards and backwards', () => {
    const matrix = parseMatrix(shippedMatrixText());
    const cpi = (kubernetes: string, installed?: string) =>
      resolveVersion({ matrix, driver: 'cpi', around: around(kubernetes, '8.0.3'), policy: 'latest', installed });
    expect(cpi('1.35').entry?.version).toBe('1.35.1');
    expect(cpi('1.36', '1.35.1').entry?.version).toBe('1.36.0');
    expect(cpi('1.35', '1.36.0')).toMatchObject({ entry: { version: '1.35.1' }, isDowngrade: true });
  });

  it('reports the closest entry if none is compatible', () => {
    const matrix = parseMatrix(shippedMatrixText());
    const { problem } = resolveVersion({ matrix, driver: 'csi', around: around('1.37', '8.0.3'), policy: 'latest' });
    expect(problem?.message).toMatch(
      /^no CSI version is compatible with Kubernetes 1\.37 and vSphere 8\.0\.3 \(vc1\); the closest version is CSI 3\.8\.0, for Kubernetes 1\.34 to 1\.36 and vSphere 7\.0\.2 to 9\.99; 3\.8\.0: Kubernetes 1\.37 is not in the range 1\.34 to 1\.36; 3\.7\.3: /,
    );
  });
});
