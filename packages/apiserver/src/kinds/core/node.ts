import { deepEqual, duplicateField, type FieldError, forbiddenField } from '@slipway/kube';
import { validateTaints } from '../pods/index.js';
import { defineBuiltin } from '../shared/define-builtin.js';
import { child, fields, type Fields, fill, list, sortedKeys, text, texts } from '../shared/fields.js';
import { checkCidr } from '../shared/networks.js';
import { ageColumn, column, nameColumn, orNone, printer, wide } from '../shared/table.js';
import { problems } from '../shared/validation.js';

const rolePrefix = 'node-role.kubernetes.io/';
const roleLabel = 'kubernetes.io/role';

export const nodes = defineBuiltin({
  group: '',
  kind: 'Node',
  plural: 'nodes',
  shortNames: ['no'],
  namespaced: false,
  status: true,
  // Like upstream, keeps the status on create, because kubelets register with their status.
  statusOnCreate: true,
  table: printer([
    nameColumn,
    column('Status', statusOf),
    column('Roles', rolesOf),
    ageColumn,
    column('Version', (node) => text(infoOf(node).kubeletVersion)),
    wide('Internal-IP', (node) => addressOf(node, 'InternalIP')),
    wide('External-IP', (node) => addressOf(node, 'ExternalIP')),
    wide('OS-Image', (node) => orUnknown(infoOf(node).osImage)),
    wide('Kernel-Version', (node) => orUnknown(infoOf(node).kernelVersion)),
    wide('Container-Runtime', (node) => orUnknown(infoOf(node).containerRuntimeVersion)),
  ]),
  selectable: { 'spec.unschedulable': (object) => String(fields(object.spec).unschedulable === true) },
  strategy: {
    defaults(node) {
      const spec = child(node, 'spec');
      const single = text(spec.podCIDR);
      if (single !== '') fill(spec, { podCIDRs: [single] });
      else if (texts(spec.podCIDRs).length > 0) spec.podCIDR = texts(spec.podCIDRs)[0];
      const status = fields(node.status);
      if (status.capacity !== undefined) fill(status, { allocatable: { ...fields(status.capacity) } });
    },
    validate,
    validateUpdate,
    validateStatus: (node) => duplicateAddresses(node),
  },
});

function infoOf(node: Fields): Fields {
  return fields(fields(node.status).nodeInfo);
}

function orUnknown(value: unknown): string {
  return text(value) === '' ? '<unknown>' : text(value);
}

function statusOf(node: Fields): string {
  const ready = list(fields(node.status).conditions).find(({ type }) => type === 'Ready');
  const statuses = [ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'];
  if (fields(node.spec).unschedulable === true) statuses.push('SchedulingDisabled');
  return statuses.join(',');
}

function rolesOf(node: Fields): string {
  const labels = fields(fields(node.metadata).labels);
  const roles = sortedKeys(labels).flatMap((key) => {
    if (key.startsWith(rolePrefix)) return [key.slice(rolePrefix.length)].filter((role) => role !== '');
    return key === roleLabel && text(labels[key]) !== '' ? [text(labels[key])] : [];
  });
  return orNone([...new Set(roles)].sort().join(','));
}

function addressOf(node: Fields, type: string): string {
  return orNone(list(fields(node.status).addresses).find((address) => address.type === type)?.address);
}

function validate(node: Fields): FieldError[] {
  const spec = fields(node.spec);
  return [
    // Like upstream, errors of taints have a path below metadata.
    ...validateTaints(list(spec.taints), 'metadata.taints'),
    ...texts(spec.podCIDRs).flatMap((cidr, index) => problems(`spec.podCIDRs[${index}]`, cidr, checkCidr(cidr))),
  ];
}

function validateUpdate(node: Fields, old: Fields): FieldError[] {
  const [spec, before] = [fields(node.spec), fields(old.spec)];
  const errors = duplicateAddresses(node);
  if (texts(before.podCIDRs).length > 0 && !deepEqual(spec.podCIDRs, before.podCIDRs)) {
    errors.push(forbiddenField('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'));
  }
  if (text(before.providerID) !== '' && spec.providerID !== before.providerID) {
    errors.push(forbiddenField('spec.providerID', 'node updates may not change providerID except from "" to valid'));
  }
  return errors;
}

function duplicateAddresses(node: Fields): FieldError[] {
  const seen = new Set<string>();
  return list(fields(node.status).addresses).flatMap((address, index) => {
    const identity = `${text(address.type)} ${text(address.address)}`;
    if (seen.has(identity)) return [duplicateField(`status.addresses[${index}]`, address)];
    seen.add(identity);
    return [];
  });
}
