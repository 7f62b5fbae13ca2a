import { devClusterTemplate, renderTemplate } from '@slipway/clusterctl';
import type { KubeObject } from '@slipway/kube';

/** A cluster of one control-plane and two worker machines in memory: docs/samples/quick-start.yaml under any name. */
export function quickStartObjects(name: string): readonly KubeObject[] {
  const namespace = 'default';
  const values: Readonly<Record<string, string>> = {
    CLUSTER_NAME: name,
    NAMESPACE: namespace,
    CONTROL_PLANE_MACHINE_COUNT: '1',
    WORKER_MACHINE_COUNT: '2',
  };
  const lookup = (variable: string): string | undefined => values[variable];
  return renderTemplate(devClusterTemplate(), { lookup, targetNamespace: namespace }).objects;
}
