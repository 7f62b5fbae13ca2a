import { humanDuration } from '@slipway/kube';
import { bytesText, factsText } from '../../output/index.js';
import type { Status } from './read-status.js';

export function statusText(status: Status, now: number): string {
  return `${headline(status)}\n${factsText(facts(status, now))}`;
}

function headline(status: Status): string {
  if (!status.running) return 'Slipway is not running; start it with `slipway up`';
  return status.ready ? 'Slipway is running and ready' : `Slipway is running, but not ready: ${status.problem ?? ''}`;
}

function facts(status: Status, now: number): [string, string][] {
  const found: [string, string][] = [];
  if (status.endpoint !== undefined) found.push(['endpoint', status.endpoint]);
  if (status.version !== undefined) found.push(['version', versionText(status)]);
  if (status.uptimeSeconds !== undefined) found.push(['uptime', humanDuration(status.uptimeSeconds * 1_000)]);
  if (status.pid !== undefined) found.push(['process', String(status.pid)]);
  if (status.kubeconfig !== undefined) found.push(['kubeconfig', status.kubeconfig]);
  found.push(['data', `${status.dataDirectory} (${bytesText(status.dataBytes)})`]);
  for (const { name, notAfter } of status.certificates) {
    found.push([`${name}.crt`, `valid until ${notAfter.slice(0, 10)} (${remaining(Date.parse(notAfter) - now)})`]);
  }
  return found;
}

function versionText({ version, kubernetesVersion, apiOnly }: Status): string {
  const level = kubernetesVersion === undefined ? '' : `, Kubernetes API ${kubernetesVersion}`;
  return `${version}${level}${apiOnly === true ? ', API only' : ''}`;
}

function remaining(ms: number): string {
  return ms <= 0 ? 'expired' : `${humanDuration(ms)} left`;
}
