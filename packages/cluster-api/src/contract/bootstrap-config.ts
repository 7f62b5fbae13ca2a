import type { Contract } from './contract-version.js';
import { flagAt, type ProviderObject, textAt } from './fields.js';

/** The fields of a bootstrap object that a Machine reads. */
export interface BootstrapConfig {
  readonly dataSecretCreated: boolean;
  readonly dataSecretName: string | undefined;
}

export const bootstrapConfig = {
  dataSecretCreatedPath: (contract: Contract): string =>
    contract === 'v1beta2' ? 'status.initialization.dataSecretCreated' : 'status.ready',

  read(object: ProviderObject, contract: Contract): BootstrapConfig {
    return {
      dataSecretCreated:
        contract === 'v1beta2'
          ? flagAt(object, 'status', 'initialization', 'dataSecretCreated')
          : flagAt(object, 'status', 'ready'),
      dataSecretName: textAt(object, 'status', 'dataSecretName'),
    };
  },
} as const;
