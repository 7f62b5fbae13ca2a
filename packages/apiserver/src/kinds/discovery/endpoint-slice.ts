import { type FieldError, requiredField, tooMany } from '@slipway/kube';
import { protocols } from '../pods/index.js';
import { defineBuiltin } from '../shared/define-builtin.js';
import { type Fields, fill, list, number, text, texts } from '../shared/fields.js';
import { checkAddress } from '../shared/networks.js';
import { ageColumn, column, nameColumn, printer } from '../shared/table.js';
import { dnsSubdomain, duplicates, immutable, oneOf, optionalOneOf, problems } from '../shared/validation.js';

const endpointsMax = 1000;
const portsMax = 20_000;
const addressesMax = 100;
const shownMax = 3;
const unset = '<unset>';

export const endpointSlices = defineBuiltin({
  group: 'discovery.k8s.io',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  namespaced: true,
  generation: ['addressType', 'endpoints', 'ports'],
  generationMeta: 'labels',
  table: printer([
    nameColumn,
    column('AddressType', (slice) => text(slice.addressType)),
    column('Ports', (slice) =>
      shown(list(slice.ports).map((port) => (port.port === undefined ? '*' : String(number(port.port))))),
    ),
    column('Endpoints', (slice) => shown(list(slice.endpoints).flatMap(({ addresses }) => texts(addresses)))),
    ageColumn,
  ]),
  strategy: {
    defaults(slice) {
      for (const port of list(slice.ports)) fill(port, { name: '', protocol: 'TCP' });
      for (const endpoint of list(slice.endpoints)) fill(endpoint, { conditions: {} });
    },
    validate,
    validateUpdate: (slice, old) => immutable('addressType', slice.addressType === old.addressType, slice.addressType),
  },
});

function shown(values: readonly string[]): string {
  if (values.length === 0) return unset;
  const first = values.slice(0, shownMax).join(',');
  return values.length > shownMax ? `${first} + ${values.length - shownMax} more...` : first;
}

function validate(slice: Fields): FieldError[] {
  const [endpoints, ports] = [list(slice.endpoints), list(slice.ports)];
  const errors = oneOf('addressType', slice.addressType, ['FQDN', 'IPv4', 'IPv6']);
  if (endpoints.length > endpointsMax) errors.push(tooMany('endpoints', endpoints.length, endpointsMax));
  if (ports.length > portsMax) errors.push(tooMany('ports', ports.length, portsMax));
  errors.push(
    ...endpoints.flatMap((endpoint, index) =>
      validateEndpoint(endpoint, text(slice.addressType), `endpoints[${index}]`),
    ),
    ...duplicates(ports, 'ports', 'name'),
    ...ports.flatMap(({ protocol }, index) => optionalOneOf(`ports[${index}].protocol`, protocol, protocols)),
  );
  return errors;
}

function validateEndpoint(endpoint: Fields, type: string, path: string): FieldError[] {
  const addresses = texts(endpoint.addresses);
  if (addresses.length === 0) return [requiredField(`${path}.addresses`, 'must contain at least 1 address')];
  if (addresses.length > addressesMax) return [tooMany(`${path}.addresses`, addresses.length, addressesMax)];
  return addresses.flatMap((address, index) => {
    const at = `${path}.addresses[${index}]`;
    return type === 'FQDN' ? dnsSubdomain(at, address) : problems(at, address, checkAddress(address));
  });
}
