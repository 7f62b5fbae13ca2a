import type { Machine } from '../api/index.js';
import type { Contract } from './contract-version.js';
import { flagAt, isObject, listAt, type ProviderObject, textAt } from './fields.js';

type Address = NonNullable<NonNullable<Machine['status']>['addresses']>[number];

/** The fields of an infrastructure object that a Machine reads. */
export interface InfrastructureMachine {
  readonly provisioned: boolean;
  readonly providerId: string | undefined;
  readonly addresses: readonly Address[];
  /** The failure domain that the provider reports. */
  readonly failureDomain: string | undefined;
  /** The failure domain according to the v1beta1 contract, which has the field in the spec. */
  readonly specFailureDomain: string | undefined;
  readonly interruptible: boolean;
}

export const infrastructureMachine = {
  provisionedPath: (contract: Contract): string =>
    contract === 'v1beta2' ? 'status.initialization.provisioned' : 'status.ready',

  read(object: ProviderObject, contract: Contract): InfrastructureMachine {
    return {
      provisioned:
        contract === 'v1beta2'
          ? flagAt(object, 'status', 'initialization', 'provisioned')
          : flagAt(object, 'status', 'ready'),
      providerId: textAt(object, 'spec', 'providerID'),
      addresses: listAt(object, 'status', 'addresses').flatMap((entry) =>
        isObject(entry) && typeof entry['type'] === 'string' && typeof entry['address'] === 'string'
          ? [{ type: entry['type'] as Address['type'], address: entry['address'] }]
          : [],
      ),
      failureDomain: textAt(object, 'status', 'failureDomain'),
      specFailureDomain: textAt(object, 'spec', 'failureDomain'),
      interruptible: flagAt(object, 'status', 'interruptible'),
    };
  },
} as const;
