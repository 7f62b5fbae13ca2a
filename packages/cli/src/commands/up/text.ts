import { serverVersion } from '@slipway/apiserver';
import { slipwayVersion } from '../../version.js';

/** What `slipway up` prints once it serves. */
export function welcome(endpoint: string, kubeconfig: string, data: string, logFile: string | undefined): string {
  const seconds = (performance.now() / 1_000).toFixed(1);
  return `
Slipway ${slipwayVersion} serves Kubernetes ${serverVersion.gitVersion} at ${endpoint}, up in ${seconds} s.

  export KUBECONFIG=${shellWord(kubeconfig)}
  kubectl get namespaces

Everything is kept in ${data}${logFile === undefined ? '' : ', the log too (slipway.log)'}. Ctrl-C stops it; so does
\`slipway down\` from another terminal.

`;
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
