import { isDeleting, type NewCondition } from '@slipway/runtime';
import type { Frozen, KubeObject } from '@slipway/kube';
import { machineReasons } from '../api/index.js';
import {
  bootstrapConfig,
  contractOf,
  type ObjectReference,
  providerCondition,
  type ProviderState,
} from '../contract/index.js';

/** A Machine, or a MachinePool. */
interface Bootstrapped {
  readonly metadata: Frozen<KubeObject>['metadata'];
  readonly status?: { readonly initialization?: { readonly bootstrapDataSecretCreated?: boolean } };
}

export function bootstrapCondition(
  owner: Bootstrapped,
  configRef: ObjectReference | undefined,
  bootstrap: ProviderState,
): NewCondition {
  const type = 'BootstrapConfigReady';
  if (configRef === undefined) return { type, status: 'True', reason: machineReasons.dataSecretProvided };
  return providerCondition({
    type,
    source: 'Ready',
    kind: configRef.kind,
    state: bootstrap,
    achieved: owner.status?.initialization?.bootstrapDataSecretCreated === true,
    flagPath: bootstrapConfig.dataSecretCreatedPath(contractOf(bootstrap)),
    isDeleting: isDeleting(owner),
  });
}
