import { done, ReconcileError } from '@slipway/runtime';
import type { EndpointProgress, EndpointRequest, EndpointService } from '../cluster/endpoint-service.js';

const apiPort = 6443;

/** Endpoint that exists without this provider: an address that the user provides, or kube-vip on the control plane machines. */
export class GivenEndpoint implements EndpointService {
  readonly types = ['External', 'KubeVip'] as const;

  async ensure({ exposure, kvmCluster, members }: EndpointRequest): Promise<EndpointProgress> {
    const { host = '', port } = kvmCluster.spec?.controlPlaneEndpoint ?? {};
    const address = host === '' ? (exposure.type === 'KubeVip' ? exposure.vip : undefined) : host;
    if (address === undefined) {
      const field = exposure.type === 'KubeVip' ? 'spec.controlPlaneExposure.vip' : 'spec.controlPlaneEndpoint.host';
      const message = `KVMCluster ${kvmCluster.metadata.name ?? ''} has no control plane endpoint address`;
      throw new ReconcileError('InvalidSpec', message, { retry: 'onChange', remedy: `set ${field}` });
    }
    return {
      endpoint: { host: address, port: port ?? apiPort },
      attached: members.filter(({ isLeaving }) => !isLeaving).map(({ name }) => name),
      outcome: done(),
    };
  }

  /** Does nothing, because this service creates nothing. */
  async remove(): Promise<undefined> {
    return undefined;
  }
}
