import type { Kind } from '@slipway/kube/kit';
import { resourceOf } from '@slipway/runtime';
import { compatibilityConfig } from './compatibility-config.js';
import { vdoConfig } from './vdo-config.js';
import { vsphereCloudConfig } from './vsphere-cloud-config.js';

export * from './compatibility-config.js';
export * from './names.js';
export * from './reasons.js';
export * from './vdo-config.js';
export * from './vsphere-cloud-config.js';

export const driverKinds: readonly Kind[] = [vdoConfig, vsphereCloudConfig, compatibilityConfig];
export const vdoConfigs = resourceOf(vdoConfig);
export const vsphereCloudConfigs = resourceOf(vsphereCloudConfig);
export const compatibilityConfigs = resourceOf(compatibilityConfig);
