import { deepEqual, nameIsDnsLabel } from '@slipway/kube';
import type { ResourceDefinition } from '../../contract/index.js';
import { defineBuiltin } from '../shared/define-builtin.js';
import { child, fields, type Fields, fill, list, number, put, text, texts } from '../shared/fields.js';
import { ageColumn, column, formatLabels, nameColumn, orNone, printer, wide } from '../shared/table.js';
import { needsNodePorts, type ServiceNetwork } from './service-network.js';
import {
  externallyAccessible,
  validateService,
  validateServiceStatus,
  validateServiceUpdate,
} from './validate-service.js';

const affinityTimeoutSeconds = 10_800;

/** Defines Service. Services get their addresses from `network`; without it, they keep the values that the client sent. */
export function services(network: ServiceNetwork | undefined): ResourceDefinition {
  return defineBuiltin({
    group: '',
    kind: 'Service',
    plural: 'services',
    shortNames: ['svc'],
    categories: ['all'],
    namespaced: true,
    status: true,
    createOnUpdate: true,
    returnsDeleted: true,
    table: printer([
      nameColumn,
      column('Type', (service) => text(fields(service.spec).type)),
      column('Cluster-IP', (service) => orNone(fields(service.spec).clusterIP)),
      column('External-IP', externalAddress),
      column('Port(s)', formatPorts),
      ageColumn,
      wide('Selector', (service) => formatLabels(fields(service.spec).selector)),
    ]),
    selectable: {
      'spec.clusterIP': (object) => text(fields(object.spec).clusterIP),
      'spec.type': (object) => text(fields(object.spec).type),
    },
    strategy: {
      name: nameIsDnsLabel,
      defaults,
      prepareCreate(service, context) {
        service.status = { loadBalancer: {} };
        normalise(fields(service.spec));
        network?.assign(service, undefined, context);
        fillFamilies(fields(service.spec), network);
      },
      prepareUpdate(service, old, context) {
        keepAllocated(fields(service.spec), fields(old.spec));
        normalise(fields(service.spec));
        network?.assign(service, old, context);
        fillFamilies(fields(service.spec), network);
      },
      validate: validateService,
      validateUpdate: validateServiceUpdate,
      validateStatus: validateServiceStatus,
      release: (service) => network?.release(service),
      afterDelete: (service) => network?.release(service),
    },
  });
}

function defaults(service: Fields): void {
  const spec = child(service, 'spec');
  fill(spec, { sessionAffinity: 'None', type: 'ClusterIP' });
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === 'ClientIP') {
    fill(child(child(spec, 'sessionAffinityConfig'), 'clientIP'), { timeoutSeconds: affinityTimeoutSeconds });
  }
  for (const port of list(spec.ports)) {
    fill(port, { protocol: 'TCP' });
    if (port.targetPort === undefined || port.targetPort === 0 || port.targetPort === '') port.targetPort = port.port;
  }
  if (externallyAccessible(spec)) fill(spec, { externalTrafficPolicy: 'Cluster' });
  if (spec.type !== 'ExternalName') fill(spec, { internalTrafficPolicy: 'Cluster' });
  if (spec.type === 'LoadBalancer') fill(spec, { allocateLoadBalancerNodePorts: true });
}

/** Sets clusterIPs from clusterIP, which is its first element, if the client set only clusterIP. */
function normalise(spec: Fields): void {
  if (spec.type === 'ExternalName') return;
  const address = text(spec.clusterIP);
  if (address !== '' && spec.clusterIPs === undefined) spec.clusterIPs = [address];
}

function fillFamilies(spec: Fields, network: ServiceNetwork | undefined): void {
  if (spec.type === 'ExternalName' || network === undefined) return;
  // The endpoints of a headless service without a selector may be of either IP family.
  const open = text(spec.clusterIP) === 'None' && Object.keys(fields(spec.selector)).length === 0;
  const both = network.family === 'IPv4' ? ['IPv4', 'IPv6'] : ['IPv6', 'IPv4'];
  fill(
    spec,
    open
      ? { ipFamilies: both, ipFamilyPolicy: 'RequireDualStack' }
      : { ipFamilies: [network.family], ipFamilyPolicy: 'SingleStack' },
  );
}

/**
 * Keeps allocated values that the update does not set, so that a manifest need not repeat them. Drops unchanged values that the
 * new type does not have.
 */
function keepAllocated(spec: Fields, before: Fields): void {
  if (spec.type === 'ExternalName') {
    dropUnchanged(spec, before, ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy']);
    return;
  }
  if (before.type !== 'ExternalName') keepAddresses(spec, before);
  if (needsNodePorts(spec) && needsNodePorts(before)) keepNodePorts(spec, before);
  else if (!needsNodePorts(spec)) dropNodePorts(spec, before);
}

function keepAddresses(spec: Fields, before: Fields): void {
  followFirstAddress(spec, before);
  if (text(spec.clusterIP) === '' && texts(spec.clusterIPs).length === 0) {
    put(spec, 'clusterIP', before.clusterIP);
    put(spec, 'clusterIPs', before.clusterIPs);
  } else if (text(spec.clusterIP) === '') spec.clusterIP = texts(spec.clusterIPs)[0];
  for (const key of ['ipFamilies', 'ipFamilyPolicy']) if (spec[key] === undefined) put(spec, key, before[key]);
}

/** Updates clusterIPs if the client changed only clusterIP, because older clients do not know clusterIPs. */
function followFirstAddress(spec: Fields, before: Fields): void {
  const changed = text(spec.clusterIP) !== '' && spec.clusterIP !== before.clusterIP;
  if (changed && deepEqual(spec.clusterIPs, before.clusterIPs)) spec.clusterIPs = [spec.clusterIP];
}

function keepNodePorts(spec: Fields, before: Fields): void {
  const known = new Map(
    list(before.ports).map((port) => [`${text(port.protocol)}/${number(port.port)}`, port.nodePort]),
  );
  const used = new Set(list(spec.ports).map((port) => number(port.nodePort)));
  for (const port of list(spec.ports)) {
    const kept = known.get(`${text(port.protocol)}/${number(port.port)}`);
    if (number(port.nodePort) === 0 && kept !== undefined && !used.has(number(kept))) port.nodePort = kept;
  }
}

/** Drops node ports and related fields that the client left unchanged, for a service type that has none. */
function dropNodePorts(spec: Fields, before: Fields): void {
  const old = new Set(list(before.ports).map((port) => number(port.nodePort)));
  for (const port of list(spec.ports)) if (old.has(number(port.nodePort))) delete port.nodePort;
  if (!externallyAccessible(spec)) dropUnchanged(spec, before, ['externalTrafficPolicy']);
  if (spec.type !== 'LoadBalancer') dropUnchanged(spec, before, ['allocateLoadBalancerNodePorts', 'loadBalancerClass']);
}

function dropUnchanged(spec: Fields, before: Fields, keys: readonly string[]): void {
  for (const key of keys) {
    if (spec[key] !== undefined && deepEqual(spec[key], before[key])) delete spec[key];
  }
}

function externalAddress(service: Fields): string {
  const spec = fields(service.spec);
  if (spec.type === 'ExternalName') return text(spec.externalName);
  const given = texts(spec.externalIPs);
  if (spec.type !== 'LoadBalancer') return orNone(given.join(','));
  const ingress = list(fields(fields(service.status).loadBalancer).ingress).map(
    ({ ip, hostname }) => text(ip) || text(hostname),
  );
  const shown = [...ingress, ...given].join(',');
  return shown === '' ? '<pending>' : shown;
}

function formatPorts(service: Fields): string {
  const shown = list(fields(service.spec).ports).map((port) => {
    const node = number(port.nodePort) === 0 ? '' : `:${number(port.nodePort)}`;
    return `${number(port.port)}${node}/${text(port.protocol)}`;
  });
  return orNone(shown.join(','));
}
