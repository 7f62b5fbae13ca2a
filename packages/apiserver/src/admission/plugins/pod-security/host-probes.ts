import { type Fields, fieldsOf, textOf } from '@slipway/kube';
import { allContainers, type Check, containerText, namesOf, quoted, sorted } from './check.js';

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'];

/** Rejects probes and lifecycle hooks with a host field: they let a pod send requests to any host through the kubelet. */
export const hostProbes: Check = {
  id: 'hostProbesAndHostLifecycle',
  run(pod) {
    const bad = allContainers(pod).filter(({ container }) => hostsOf(container).length > 0);
    if (bad.length === 0) return undefined;
    const hosts = sorted(bad.flatMap(({ container }) => hostsOf(container)));
    const noun = hosts.length === 1 ? 'probe or lifecycle host' : 'probe or lifecycle hosts';
    return {
      reason: 'probe or lifecycle host',
      detail: `${containerText(namesOf(bad))} uses ${noun} ${quoted(hosts)}`,
    };
  },
};

function hostsOf(container: Fields): readonly string[] {
  const lifecycle = fieldsOf(container['lifecycle']);
  const handlers = [
    ...probes.map((name) => fieldsOf(container[name])),
    fieldsOf(lifecycle['postStart']),
    fieldsOf(lifecycle['preStop']),
  ];
  return handlers
    .flatMap((handler) => ['httpGet', 'tcpSocket'].map((action) => textOf(fieldsOf(handler[action])['host'])))
    .filter((host) => host !== '' && host !== '127.0.0.1' && host !== '::1' && host !== 'localhost');
}
