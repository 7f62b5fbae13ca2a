import { type FieldError, invalidField, requiredField } from '@slipway/kube';
import { protocols } from '../pods/index.js';
import { defineBuiltin } from '../shared/define-builtin.js';
import { type Fields, fill, list, number, text } from '../shared/fields.js';
import { checkAddress, checkNotSpecial } from '../shared/networks.js';
import { ageColumn, column, nameColumn, orNone, printer } from '../shared/table.js';
import { dnsLabel, oneOf, portNumber, problems } from '../shared/validation.js';

const shownMax = 3;

export const endpoints = defineBuiltin({
  group: '',
  kind: 'Endpoints',
  plural: 'endpoints',
  shortNames: ['ep'],
  namespaced: true,
  createOnUpdate: true,
  deprecationWarning: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  table: printer([nameColumn, column('Endpoints', formatEndpoints), ageColumn]),
  strategy: {
    defaults(object) {
      for (const subset of list(object.subsets)) for (const port of list(subset.ports)) fill(port, { protocol: 'TCP' });
    },
    validate: (object) => list(object.subsets).flatMap((subset, index) => validateSubset(subset, `subsets[${index}]`)),
  },
});

function formatEndpoints(object: Fields): string {
  const all = list(object.subsets).flatMap((subset) => {
    const addresses = list(subset.addresses).map(({ ip }) => text(ip));
    const ports = list(subset.ports);
    if (ports.length === 0) return addresses;
    return ports.flatMap((port) => addresses.map((ip) => `${ip.includes(':') ? `[${ip}]` : ip}:${number(port.port)}`));
  });
  const shown = all.slice(0, shownMax).join(',');
  return all.length > shownMax ? `${shown} + ${all.length - shownMax} more...` : orNone(shown);
}

function validateSubset(subset: Fields, path: string): FieldError[] {
  const [ready, waiting, ports] = [list(subset.addresses), list(subset.notReadyAddresses), list(subset.ports)];
  const errors: FieldError[] = [];
  if (ready.length === 0 && waiting.length === 0) {
    errors.push(requiredField(path, 'must specify `addresses` or `notReadyAddresses`'));
  }
  for (const [key, addresses] of [
    ['addresses', ready],
    ['notReadyAddresses', waiting],
  ] as const) {
    for (const [index, address] of addresses.entries()) {
      errors.push(...validateAddress(text(address.ip), `${path}.${key}[${index}].ip`));
    }
  }
  for (const [index, port] of ports.entries())
    errors.push(...validatePort(port, ports.length > 1, `${path}.ports[${index}]`));
  return errors;
}

/** Validates an IP address. Like upstream, reports an invalid address with two messages. */
function validateAddress(address: string, path: string): FieldError[] {
  const errors = problems(path, address, checkAddress(address));
  return errors.length === 0
    ? problems(path, address, checkNotSpecial(address))
    : [...errors, invalidField(path, address, 'must be a valid IP address')];
}

function validatePort(port: Fields, named: boolean, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (named && text(port.name) === '') errors.push(requiredField(`${path}.name`));
  else if (text(port.name) !== '') errors.push(...dnsLabel(`${path}.name`, port.name));
  errors.push(...portNumber(`${path}.port`, port.port), ...oneOf(`${path}.protocol`, port.protocol, protocols));
  return errors;
}
