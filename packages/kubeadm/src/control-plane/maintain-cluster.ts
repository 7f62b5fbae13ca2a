import { annotations, isDeleting } from '@slipway/cluster-api';
import { formatTime } from '@slipway/kube';
import { done, edit, type Outcome, patchObject, wait } from '@slipway/runtime';
import { kubeadmConfigs } from '../api/index.js';
import { type WorkloadCluster, WorkloadError } from '../workload/index.js';
import { isInitialized, type MachineView, nodeOf } from './control-plane.js';
import type { ControlPlanePass } from './control-plane-pass.js';

const apiServerPortDefault = 6443;

/** What is kept up in the workload cluster while all machines are there and as wanted. */
export async function maintainCluster(pass: ControlPlanePass): Promise<Outcome> {
  if (!isInitialized(pass.controlPlane)) return done();
  const workload = await pass.workload();
  const { signal } = pass.context;
  await workload.updateKubeProxy(pass.controlPlane, { signal });
  await workload.updateCoreDns(pass.controlPlane, { signal });
  return noteCertificateExpiries(pass, workload);
}

const expiryRetryMs = 60_000;

/** An API server that does not show its certificate keeps nothing else from being done: it is asked again later. */
async function noteCertificateExpiries(pass: ControlPlanePass, workload: WorkloadCluster): Promise<Outcome> {
  const failures: string[] = [];
  for (const view of pass.machines) {
    try {
      await noteCertificateExpiry(pass, workload, view);
    } catch (error) {
      if (!(error instanceof WorkloadError)) throw error;
      failures.push(error.message);
    }
  }
  if (failures.length === 0) return done();
  const message = failures.join('; ');
  pass.context.logger.warn(
    { reason: 'CertificateExpiryUnknown', failures },
    'Reading the expiry of certificates failed',
  );
  return wait({ ms: expiryRetryMs, reason: 'CertificateExpiryUnknown', message });
}

/** Asked once of each machine: its certificates change only with the machine. */
async function noteCertificateExpiry(
  pass: ControlPlanePass,
  workload: WorkloadCluster,
  { machine, config }: MachineView,
): Promise<void> {
  const node = nodeOf(machine);
  if (config === undefined || node === undefined || isDeleting(machine)) return;
  if (config.metadata.annotations?.[annotations.certificatesExpiry] !== undefined) return;
  const { client, signal } = pass.context;
  const expiresAt = await workload.apiServerCertificateExpiry(node, apiServerPort(config), { signal });
  const after = edit(config, ({ metadata }) => {
    metadata.annotations = { ...metadata.annotations, [annotations.certificatesExpiry]: formatTime(expiresAt) };
  });
  await patchObject(client, kubeadmConfigs, config, after, { signal });
}

function apiServerPort({ spec }: NonNullable<MachineView['config']>): number {
  const { initConfiguration, joinConfiguration } = spec ?? {};
  const endpoint = joinConfiguration?.controlPlane?.localAPIEndpoint ?? initConfiguration?.localAPIEndpoint;
  return endpoint?.bindPort ?? apiServerPortDefault;
}
