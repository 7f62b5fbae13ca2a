import type { ObjectKey } from '@slipway/runtime';
import type { ServerFlags } from '../../connection/index.js';

/** Returns how to reach an available cluster. */
export function reachText(flags: ServerFlags, { namespace, name }: ObjectKey): string {
  return `
  slipway get kubeconfig ${name} -n ${namespace}${serverArgs(flags)} > ${name}.conf
  kubectl --kubeconfig ${name}.conf get nodes

`;
}

/** Returns how to follow a cluster that is not Available yet. */
export function pendingText(flags: ServerFlags, { namespace, name }: ObjectKey, wasInterrupted: boolean): string {
  return `${wasInterrupted ? 'Interrupted' : 'Not Available yet'}: the cluster is still being created. To follow it, and to see what it waits for:

  slipway describe cluster ${name} -n ${namespace} --watch${serverArgs(flags)}
  slipway why cluster/${name} -n ${namespace}${serverArgs(flags)}

`;
}

/** Returns the flags that select the same server. */
function serverArgs({ kubeconfig, kubeconfigContext }: ServerFlags): string {
  const file = kubeconfig === undefined ? '' : ` --kubeconfig ${kubeconfig}`;
  return kubeconfigContext === undefined ? file : `${file} --context ${kubeconfigContext}`;
}
