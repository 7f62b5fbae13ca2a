import { stringifyJson } from '@slipway/kube';

/** Newest driver versions, which cluster templates use. */
export const newestCsiVersion = '3.8.0';
export const newestCpiVersion = '1.36.0';

/** CSI versions of the built-in matrix, with the minimum and maximum Kubernetes version of each. */
const csiRows: readonly (readonly [version: string, minimum: string, maximum: string, lts?: 'lts'])[] = [
  [newestCsiVersion, '1.34', '1.36'],
  ['3.7.3', '1.33', '1.35', 'lts'],
  ['3.6.3', '1.32', '1.34', 'lts'],
  ['3.5.1', '1.31', '1.33'],
  ['3.4.0', '1.30', '1.32'],
  ['3.3.1', '1.28', '1.30'],
  ['3.2.0', '1.27', '1.29'],
  ['3.1.2', '1.26', '1.28'],
  ['3.0.3', '1.24', '1.27'],
];
const cpiVersions = ['1.28.0', '1.29.0', '1.30.1', '1.31.1', '1.32.2', '1.33.0', '1.34.0', '1.35.1', newestCpiVersion];

/**
 * Supported vSphere versions. The drivers accept older ones; this is the practical minimum. The maximum includes future patches
 * of vCenter.
 */
const csiVsphere = { min: '7.0.2', max: '9.99' };
const cpiVsphere = { min: '6.7.3', max: '9.99' };

const minorOf = (version: string): string => version.split('.').slice(0, 2).join('.');

export function shippedMatrixText(): string {
  return stringifyJson(
    {
      schemaVersion: 2,
      revision: '2026.08',
      issued: '2026-08-01T00:00:00Z',
      CSI: Object.fromEntries(
        csiRows.map(([version, min, max, lts]) => [
          version,
          {
            vSphere: csiVsphere,
            k8s: { min, max },
            isCPIRequired: false,
            channel: lts ?? 'latest',
            deploymentPath: [`bundle://csi/${version}.yaml`],
            namespace: 'vmware-system-csi',
          },
        ]),
      ),
      CPI: Object.fromEntries(
        cpiVersions.map((version) => [
          version,
          {
            vSphere: cpiVsphere,
            k8s: { skewVersion: minorOf(version) },
            channel: 'lts',
            configFormat: 'yaml',
            deploymentPath: [`bundle://cpi/${version}.yaml`],
          },
        ]),
      ),
    },
    { indent: 2 },
  );
}
