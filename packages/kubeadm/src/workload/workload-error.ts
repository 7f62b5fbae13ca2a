import { ReconcileError, type ReconcileErrorOptions } from '@slipway/runtime';

/**
 * - `KubeadmConfigUnreadable`: the ConfigMap is not as kubeadm writes it
 * - `ImageUnreadable`: an image of an add-on has no form in which it could be changed
 * - `CoreDnsNotMigratable`: the Corefile cannot be brought from one version to the other
 * - `CertificateUnreadable`: the API server of a machine did not show the certificate that kubeadm makes
 */
export type WorkloadReason =
  | 'KubeadmConfigUnreadable'
  | 'ImageUnreadable'
  | 'CoreDnsNotMigratable'
  | 'CertificateUnreadable';

export class WorkloadError extends ReconcileError<WorkloadReason> {
  constructor(reason: WorkloadReason, message: string, options: Partial<ReconcileErrorOptions> = {}) {
    super(reason, message, { retry: 'later', ...options });
    this.name = 'WorkloadError';
  }
}
