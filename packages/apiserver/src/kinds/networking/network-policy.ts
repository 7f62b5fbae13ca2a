import { type FieldError, forbiddenField, invalidField, requiredField } from '@slipway/kube';
import { protocols } from '../pods/index.js';
import { defineBuiltin } from '../shared/define-builtin.js';
import { child, fields, type Fields, fill, has, list, number, text, texts } from '../shared/fields.js';
import { checkCidr } from '../shared/networks.js';
import { ageColumn, column, formatSelector, nameColumn, printer } from '../shared/table.js';
import { optionalOneOf, portNumberOrName, problems, validateSelector } from '../shared/validation.js';

export const networkPolicies = defineBuiltin({
  group: 'networking.k8s.io',
  kind: 'NetworkPolicy',
  plural: 'networkpolicies',
  shortNames: ['netpol'],
  namespaced: true,
  generation: ['spec'],
  table: printer([
    nameColumn,
    column('Pod-Selector', (policy) => formatSelector(fields(policy.spec).podSelector)),
    ageColumn,
  ]),
  strategy: {
    defaults(policy) {
      const spec = child(policy, 'spec');
      child(spec, 'podSelector');
      for (const rule of [...list(spec.ingress), ...list(spec.egress)]) {
        for (const port of list(rule.ports)) fill(port, { protocol: 'TCP' });
      }
      // policyTypes includes Egress only if the policy has egress rules.
      if (texts(spec.policyTypes).length === 0) {
        spec.policyTypes = list(spec.egress).length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
      }
    },
    validate: (policy) => validateSpec(fields(policy.spec)),
  },
});

function validateSpec(spec: Fields): FieldError[] {
  const errors = validateSelector(spec.podSelector, 'spec.podSelector');
  for (const [key, peers] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const) {
    for (const [index, rule] of list(spec[key]).entries()) {
      const path = `spec.${key}[${index}]`;
      errors.push(...list(rule.ports).flatMap((port, item) => validatePort(port, `${path}.ports[${item}]`)));
      errors.push(...list(rule[peers]).flatMap((peer, item) => validatePeer(peer, `${path}.${peers}[${item}]`)));
    }
  }
  const types = texts(spec.policyTypes);
  if (types.length > 2)
    return [...errors, invalidField('spec.policyTypes', types, 'may not specify more than two policyTypes')];
  return [
    ...errors,
    ...types.flatMap((type, index) => optionalOneOf(`spec.policyTypes[${index}]`, type, ['Ingress', 'Egress'])),
  ];
}

function validatePort(port: Fields, path: string): FieldError[] {
  const errors = optionalOneOf(`${path}.protocol`, port.protocol, protocols);
  if (port.port !== undefined) errors.push(...portNumberOrName(`${path}.port`, port.port));
  if (port.endPort === undefined) return errors;
  if (typeof port.port !== 'number')
    return [...errors, requiredField(`${path}.port`, 'must be specified when `endPort` is specified')];
  return number(port.endPort) >= port.port
    ? errors
    : [...errors, invalidField(`${path}.endPort`, port.endPort, 'must be greater than or equal to `port`')];
}

function validatePeer(peer: Fields, path: string): FieldError[] {
  const given = ['podSelector', 'namespaceSelector', 'ipBlock'].filter((key) => has(peer[key]));
  const errors = [
    ...validateSelector(peer.podSelector, `${path}.podSelector`),
    ...validateSelector(peer.namespaceSelector, `${path}.namespaceSelector`),
  ];
  if (given.length === 0) return [...errors, requiredField(path, 'must specify a peer')];
  if (!has(peer.ipBlock)) return errors;
  if (given.length > 1) return [...errors, forbiddenField(path, 'may not specify both ipBlock and another peer')];
  const cidr = text(peer.ipBlock.cidr);
  const at = `${path}.ipBlock.cidr`;
  return [...errors, ...(cidr === '' ? [requiredField(at)] : problems(at, cidr, checkCidr(cidr)))];
}
