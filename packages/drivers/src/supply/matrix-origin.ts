import type { Frozen } from '@slipway/kube';
import type { ConfigMap } from '@slipway/runtime';
import { type CompatibilityConfig, DriverError } from '../api/index.js';

/** Source of the matrix. */
export type MatrixOrigin =
  | { readonly type: 'url'; readonly url: string; readonly sha256?: string | undefined; readonly from: string }
  | { readonly type: 'text'; readonly text: string; readonly sha256?: string | undefined; readonly from: string }
  | {
      readonly type: 'config-map';
      readonly name: string;
      readonly key: string;
      readonly sha256?: string | undefined;
      readonly from: string;
    }
  | { readonly type: 'shipped'; readonly from: string };

export interface OriginFacts {
  /** Value of the operator's command line flag. */
  readonly flag: string | undefined;
  readonly config: Frozen<CompatibilityConfig> | undefined;
  readonly configMap: Frozen<ConfigMap> | undefined;
}

/** Returns the first source that is set: the flag, the CompatibilityConfig, the ConfigMap, or the built-in matrix. */
export function matrixOrigin({ flag, config, configMap }: OriginFacts): MatrixOrigin {
  if (flag !== undefined && flag !== '') return { type: 'url', url: flag, from: '--compatibility-matrix' };
  return originInConfig(config) ?? originInMap(configMap);
}

function originInConfig(config: OriginFacts['config']): MatrixOrigin | undefined {
  const { matrixURL, matrixConfigMapRef, matrixInline, sha256 } = config?.spec ?? {};
  const from = `CompatibilityConfig ${config?.metadata.name ?? ''}`;
  if (matrixURL) return { type: 'url', url: matrixURL, sha256, from };
  if (matrixInline) return { type: 'text', text: matrixInline, sha256, from };
  if (matrixConfigMapRef !== undefined) {
    const { name, key = 'versionConfigContent' } = matrixConfigMapRef;
    return { type: 'config-map', name, key, sha256, from };
  }
  return undefined;
}

function originInMap(configMap: OriginFacts['configMap']): MatrixOrigin {
  const { versionConfigURL: url = '', versionConfigContent: text = '' } = configMap?.data ?? {};
  const place = `ConfigMap ${configMap?.metadata.name ?? ''}`;
  if (url !== '' && text !== '')
    throw new DriverError('MatrixAmbiguous', `${place} has both versionConfigURL and versionConfigContent`);
  if (url !== '') return { type: 'url', url, from: place };
  if (text !== '') return { type: 'text', text, from: place };
  return { type: 'shipped', from: 'this operator' };
}
