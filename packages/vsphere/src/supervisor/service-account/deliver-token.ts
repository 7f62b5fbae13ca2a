import { type Frozen, isReason } from '@slipway/kube';
import {
  edit,
  ifPresent,
  namespaces,
  patchObject,
  type RequestOptions,
  type Secret,
  secrets,
  type WorkloadClient,
} from '@slipway/runtime';
import type { ProviderServiceAccount } from '../../api/index.js';

/** Puts the token, and nothing else, where the component of the workload cluster looks for it. */
export async function deliverToken(
  workload: WorkloadClient,
  account: Frozen<ProviderServiceAccount>,
  data: Readonly<Record<string, string>>,
  options: RequestOptions,
): Promise<void> {
  const { targetNamespace, targetSecretName } = account.spec;
  await ensureNamespace(workload, targetNamespace, options);
  const key = { namespace: targetNamespace, name: targetSecretName };
  const current = await ifPresent(workload.get(secrets, key, options));
  const wanted: Secret = { apiVersion: 'v1', kind: 'Secret', metadata: { ...key }, type: 'Opaque', data: { ...data } };
  if (current === undefined) {
    await workload.create(secrets, wanted, options);
    return;
  }
  const after = edit(current, (draft) => {
    draft.data = { ...data };
  });
  await patchObject(workload, secrets, current, after, options);
}

async function ensureNamespace(workload: WorkloadClient, name: string, options: RequestOptions): Promise<void> {
  if ((await ifPresent(workload.get(namespaces, { namespace: '', name }, options))) !== undefined) return;
  try {
    await workload.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, options);
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
  }
}
