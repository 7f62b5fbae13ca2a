import { type FieldError, invalidField, requiredField } from '@slipway/kube';
import { defineBuiltin } from '../shared/define-builtin.js';
import { fields, type Fields, has, list, number, text } from '../shared/fields.js';
import { ageColumn, column, nameColumn, orNone, printer } from '../shared/table.js';
import { dnsSubdomain, oneOf, portNumber, reference } from '../shared/validation.js';

const classAnnotation = 'kubernetes.io/ingress.class';

export const ingresses = defineBuiltin({
  group: 'networking.k8s.io',
  kind: 'Ingress',
  plural: 'ingresses',
  shortNames: ['ing'],
  namespaced: true,
  status: true,
  generation: ['spec'],
  table: printer([
    nameColumn,
    column('Class', classOf),
    column('Hosts', hostsOf),
    column('Address', (ingress) =>
      list(fields(fields(ingress.status).loadBalancer).ingress)
        .map(({ ip, hostname }) => text(ip) || text(hostname))
        .join(','),
    ),
    column('Ports', (ingress) => (list(fields(ingress.spec).tls).length > 0 ? '80, 443' : '80')),
    ageColumn,
  ]),
  strategy: {
    prepareCreate(ingress) {
      ingress.status = { loadBalancer: {} };
    },
    validate: (ingress) => validateSpec(fields(ingress.spec)),
  },
});

function classOf(ingress: Fields): string {
  const annotation = fields(fields(ingress.metadata).annotations)[classAnnotation];
  return orNone(fields(ingress.spec).ingressClassName ?? annotation);
}

function hostsOf(ingress: Fields): string {
  const hosts = list(fields(ingress.spec).rules).map(({ host }) => text(host) || '*');
  if (hosts.length === 0) return '*';
  const shown = hosts.slice(0, 3).join(',');
  return hosts.length > 3 ? `${shown} + ${hosts.length - 3} more...` : shown;
}

function validateSpec(spec: Fields): FieldError[] {
  const errors: FieldError[] = [];
  const rules = list(spec.rules);
  if (rules.length === 0 && spec.defaultBackend === undefined) {
    errors.push(invalidField('spec', spec.rules, 'either `defaultBackend` or `rules` must be specified'));
  }
  if (has(spec.defaultBackend)) errors.push(...validateBackend(spec.defaultBackend, 'spec.defaultBackend'));
  if (spec.ingressClassName !== undefined) errors.push(...dnsSubdomain('spec.ingressClassName', spec.ingressClassName));
  return [...errors, ...rules.flatMap((rule, index) => validateRule(rule, `spec.rules[${index}]`))];
}

function validateRule(rule: Fields, path: string): FieldError[] {
  const host = text(rule.host);
  const errors = host === '' ? [] : dnsSubdomain(`${path}.host`, host.startsWith('*.') ? host.slice(2) : host);
  if (!has(rule.http)) return errors;
  const paths = list(rule.http.paths);
  if (paths.length === 0) errors.push(requiredField(`${path}.http.paths`));
  for (const [index, item] of paths.entries()) {
    const at = `${path}.http.paths[${index}]`;
    errors.push(...validatePath(item, at));
  }
  return errors;
}

function validatePath(item: Fields, path: string): FieldError[] {
  if (item.pathType === undefined) return [requiredField(`${path}.pathType`, 'pathType must be specified')];
  const errors = oneOf(`${path}.pathType`, item.pathType, ['Exact', 'ImplementationSpecific', 'Prefix']);
  const needsSlash = item.pathType !== 'ImplementationSpecific' || text(item.path) !== '';
  if (needsSlash && !text(item.path).startsWith('/')) {
    errors.push(invalidField(`${path}.path`, text(item.path), 'must be an absolute path'));
  }
  return [...errors, ...validateBackend(fields(item.backend), `${path}.backend`)];
}

function validateBackend(backend: Fields, path: string): FieldError[] {
  const { service, resource } = backend;
  if (has(service) && has(resource)) return [invalidField(path, '', 'cannot set both resource and service backends')];
  if (has(resource)) return [];
  if (!has(service)) return [requiredField(path, 'must specify service or resource backend')];
  const errors = reference(`${path}.service.name`, service.name);
  const { name, number: port } = fields(service.port);
  if (text(name) !== '' && number(port) !== 0) {
    errors.push(invalidField(path, '', 'cannot set both port name & port number'));
  } else if (text(name) === '' && number(port) === 0) {
    errors.push(requiredField(path, 'port name or number is required'));
  } else if (number(port) !== 0) errors.push(...portNumber(`${path}.service.port.number`, port));
  return errors;
}
