import type { ObjectKey } from '@slipway/runtime';
import type { Target } from '../connection/index.js';

/** How to reach a cluster that is there. */
export function reachText(target: Target, { namespace, name }: ObjectKey): string {
  return `
  slipway get kubeconfig ${name} -n ${namespace}${kubeconfigWords(target)} > ${name}.conf
  kubectl --kubeconfig ${name}.conf get nodes

`;
}

/** How to follow one that is not there yet: nobody has stopped it. */
export function goesOnText(target: Target, { namespace, name }: ObjectKey, wasInterrupted: boolean): string {
  return `${wasInterrupted ? 'Interrupted' : 'Not Available yet'}: the cluster goes on coming up. To follow it, and to see what it waits for:

  slipway describe cluster ${name} -n ${namespace} --watch${kubeconfigWords(target)}
  slipway why cluster/${name} -n ${namespace}${kubeconfigWords(target)}

`;
}

function kubeconfigWords({ kubeconfig }: Target): string {
  return kubeconfig === undefined ? '' : ` --kubeconfig ${kubeconfig}`;
}
