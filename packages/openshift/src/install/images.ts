import type { Frozen } from '@slipway/kube';
import { type ConfigMap, ReconcileError } from '@slipway/runtime';
import { operatorName } from '../names.js';

export const imagesConfigMap = `${operatorName}-images`;
const imagesKey = 'images.json';

/** Images of the release by name, which are pulled from the registry that the release was mirrored to. */
export interface Images {
  readonly core: string;
  readonly provider: string;
  readonly proxy: string;
  readonly approver: string;
}

export function readImages(configMap: Frozen<ConfigMap> | undefined, provider: string | undefined): Images {
  const images = parseImages(configMap);
  const image = (name: string): string => {
    const found = images[name];
    if (typeof found === 'string' && found !== '') return found;
    throw new ReconcileError('ImageMissing', `ConfigMap ${imagesConfigMap} has no image ${name} in ${imagesKey}`, {
      retry: 'onChange',
      remedy: 'install the ConfigMap of the release',
    });
  };
  return {
    core: image('cluster-capi-controllers'),
    provider: provider === undefined ? '' : image(`${provider}-cluster-api-controllers`),
    proxy: image('kube-rbac-proxy'),
    approver: image('cluster-machine-approver'),
  };
}

function parseImages(configMap: Frozen<ConfigMap> | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(configMap?.data?.[imagesKey] ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch (cause) {
    throw new ReconcileError('ImagesInvalid', `${imagesKey} of ConfigMap ${imagesConfigMap} is not valid JSON`, {
      retry: 'never',
      cause,
    });
  }
}
