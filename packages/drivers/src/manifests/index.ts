import { stringifyYaml } from '@slipway/kube';
import { cpiManifest } from './cpi-manifest.js';
import { csiManifest } from './csi-manifest.js';

const pathPattern = /^(cpi|csi)\/(\d+\.\d+\.\d+)\.yaml$/;

/** Returns a built-in manifest by its path in a release, such as `csi/3.8.0.yaml`. */
export function shippedManifest(path: string): string | undefined {
  const [, driver, version = ''] = pathPattern.exec(path) ?? [];
  if (driver === undefined) return undefined;
  const objects = driver === 'cpi' ? cpiManifest(version) : csiManifest(version);
  return objects.map((object) => stringifyYaml(object)).join('---\n');
}

export {
  binding,
  clusterRole,
  controlPlaneAffinity,
  controlPlaneTolerations,
  role,
  serviceAccount,
  uninitializedToleration,
} from './objects.js';
export { templateDrivers } from './template-drivers.js';
