import {
  checkQualifiedName,
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  requiredField,
  tryParseIp,
  validateLabels,
} from '@slipway/kube';
import { protocols } from '../pods/index.js';
import { fields, type Fields, list, number, text, texts } from '../shared/fields.js';
import { checkAddress, checkCidr } from '../shared/networks.js';
import {
  dnsLabel,
  dnsSubdomain,
  duplicateStruct,
  oneOf,
  optionalOneOf,
  portNumber,
  portNumberOrName,
  problems,
} from '../shared/validation.js';

const affinityTimeoutMax = 86_400;

export function validateService(service: Fields): FieldError[] {
  const spec = fields(service.spec);
  const headless = texts(spec.clusterIPs)[0] === 'None';
  const ports = list(spec.ports);
  const errors: FieldError[] = [];
  if (ports.length === 0 && !headless && spec.type !== 'ExternalName') errors.push(requiredField('spec.ports'));
  errors.push(
    ...validateType(spec, headless),
    ...validatePorts(ports, spec),
    ...validateLabels(fields(spec.selector) as Record<string, string>, 'spec.selector'),
    ...validateAffinity(spec),
    ...(spec.type === 'ExternalName' ? [] : validateAddresses(spec, headless)),
    ...texts(spec.externalIPs).flatMap((ip, index) => problems(`spec.externalIPs[${index}]`, ip, checkAddress(ip))),
    ...oneOf('spec.type', spec.type, ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']),
    ...validateLoadBalancer(spec),
    ...validatePolicies(spec),
  );
  return errors;
}

function validateType(spec: Fields, headless: boolean): FieldError[] {
  const type = text(spec.type);
  if (headless && (type === 'LoadBalancer' || type === 'NodePort')) {
    return [invalidField('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`)];
  }
  if (type !== 'ExternalName') return [];
  const errors = ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy']
    .filter((key) => spec[key] !== undefined)
    .map((key) => forbiddenField(`spec.${key}`, 'may not be set for ExternalName services'));
  const target = text(spec.externalName).replace(/\.$/, '');
  return target === ''
    ? [...errors, requiredField('spec.externalName')]
    : [...errors, ...dnsSubdomain('spec.externalName', target)];
}

function validatePorts(ports: readonly Fields[], spec: Fields): FieldError[] {
  const names = new Set<string>();
  const errors = ports.flatMap((port, index) => validatePort(port, ports.length > 1, names, `spec.ports[${index}]`));
  if (spec.type === 'ClusterIP') {
    for (const [index, port] of ports.entries()) {
      const why = "may not be used when `type` is 'ClusterIP'";
      if (number(port.nodePort) !== 0) errors.push(forbiddenField(`spec.ports[${index}].nodePort`, why));
    }
  }
  return [...errors, ...duplicatePorts(ports)];
}

function validatePort(port: Fields, named: boolean, names: Set<string>, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const name = text(port.name);
  if (name === '' && named) errors.push(requiredField(`${path}.name`));
  else if (name !== '') {
    errors.push(...dnsLabel(`${path}.name`, name));
    if (names.has(name)) errors.push(duplicateField(`${path}.name`, name));
    names.add(name);
  }
  errors.push(
    ...portNumber(`${path}.port`, port.port),
    ...oneOf(`${path}.protocol`, port.protocol, protocols),
    ...portNumberOrName(`${path}.targetPort`, port.targetPort),
  );
  if (port.appProtocol !== undefined) {
    errors.push(...problems(`${path}.appProtocol`, port.appProtocol, checkQualifiedName(text(port.appProtocol))));
  }
  return errors;
}

function duplicatePorts(ports: readonly Fields[]): FieldError[] {
  const [nodePorts, numbers] = [new Set<string>(), new Set<string>()];
  const errors: FieldError[] = [];
  for (const [index, port] of ports.entries()) {
    const identity = `${text(port.protocol)}/${number(port.nodePort)}`;
    if (number(port.nodePort) !== 0 && nodePorts.has(identity))
      errors.push(duplicateField(`spec.ports[${index}].nodePort`, port.nodePort));
    nodePorts.add(identity);
  }
  for (const [index, port] of ports.entries()) {
    const identity = `${text(port.protocol)}/${number(port.port)}`;
    // Upstream prints its internal Go type here.
    const shown = { Name: '', Protocol: port.protocol, AppProtocol: null, Port: port.port, TargetPort: 0, NodePort: 0 };
    if (numbers.has(identity)) errors.push(duplicateStruct(`spec.ports[${index}]`, shown));
    numbers.add(identity);
  }
  return errors;
}

function validateAffinity(spec: Fields): FieldError[] {
  const errors = oneOf('spec.sessionAffinity', spec.sessionAffinity, ['ClientIP', 'None']);
  const path = 'spec.sessionAffinityConfig';
  if (spec.sessionAffinity === 'None' && spec.sessionAffinityConfig !== undefined) {
    errors.push(forbiddenField(path, 'must not be set when session affinity is None'));
  }
  if (spec.sessionAffinity === 'ClientIP') {
    const seconds = fields(fields(spec.sessionAffinityConfig).clientIP).timeoutSeconds;
    const valid = number(seconds) > 0 && number(seconds) <= affinityTimeoutMax;
    if (!valid)
      errors.push(
        invalidField(
          `${path}.clientIP.timeoutSeconds`,
          seconds,
          `must be greater than 0 and less than ${affinityTimeoutMax}`,
        ),
      );
  }
  return errors;
}

function validateAddresses(spec: Fields, headless: boolean): FieldError[] {
  const [address, addresses] = [text(spec.clusterIP), texts(spec.clusterIPs)];
  const errors: FieldError[] = [];
  if (address !== '' && addresses.length === 0) errors.push(requiredField('spec.clusterIPs'));
  else if (address !== '' && addresses[0] !== address) {
    errors.push(invalidField('spec.clusterIPs', addresses, 'first value must match `clusterIP`'));
  } else if (address === '' && addresses.length > 0) {
    errors.push(invalidField('spec.clusterIPs', addresses, 'must be empty when `clusterIP` is not specified'));
  }
  for (const [index, family] of texts(spec.ipFamilies).entries()) {
    errors.push(...optionalOneOf(`spec.ipFamilies[${index}]`, family, ['IPv4', 'IPv6']));
    if (texts(spec.ipFamilies).indexOf(family) < index)
      errors.push(duplicateField(`spec.ipFamilies[${index}]`, family));
  }
  errors.push(
    ...optionalOneOf('spec.ipFamilyPolicy', spec.ipFamilyPolicy, [
      'PreferDualStack',
      'RequireDualStack',
      'SingleStack',
    ]),
  );
  if (headless) {
    const alone = addresses.length === 1;
    return alone
      ? errors
      : [...errors, invalidField('spec.clusterIPs', addresses, "'None' must be the first and only value")];
  }
  return [
    ...errors,
    ...addresses.flatMap((item, index) => validateAddress(item, texts(spec.ipFamilies)[index], index)),
  ];
}

function validateAddress(address: string, family: string | undefined, index: number): FieldError[] {
  const path = `spec.clusterIPs[${index}]`;
  const errors = problems(path, address, checkAddress(address));
  if (errors.length > 0 || family === undefined) return errors;
  return tryParseIp(address)?.family === family
    ? []
    : [invalidField(path, address, `expected an ${family} value as indicated by \`ipFamilies[${index}]\``)];
}

function validateLoadBalancer(spec: Fields): FieldError[] {
  const balanced = spec.type === 'LoadBalancer';
  const only = "may only be used when `type` is 'LoadBalancer'";
  const errors: FieldError[] = [];
  const ranges = texts(spec.loadBalancerSourceRanges);
  if (ranges.length > 0 && !balanced) errors.push(forbiddenField('spec.LoadBalancerSourceRanges', only));
  errors.push(
    ...ranges.flatMap((range, index) =>
      problems(`spec.LoadBalancerSourceRanges[${index}]`, range, checkCidr(range.trim())),
    ),
  );
  for (const key of ['allocateLoadBalancerNodePorts', 'loadBalancerClass']) {
    if (spec[key] !== undefined && !balanced) errors.push(forbiddenField(`spec.${key}`, only));
  }
  return errors;
}

function validatePolicies(spec: Fields): FieldError[] {
  const policies = ['Cluster', 'Local'];
  const errors = optionalOneOf('spec.internalTrafficPolicy', spec.internalTrafficPolicy, policies);
  if (!externallyAccessible(spec)) {
    if (spec.externalTrafficPolicy === undefined) return errors;
    const why = 'may only be set for externally-accessible services';
    return [...errors, invalidField('spec.externalTrafficPolicy', spec.externalTrafficPolicy, why)];
  }
  return [...errors, ...oneOf('spec.externalTrafficPolicy', spec.externalTrafficPolicy, policies)];
}

export function externallyAccessible(spec: Fields): boolean {
  if (spec.type === 'LoadBalancer' || spec.type === 'NodePort') return true;
  return spec.type === 'ClusterIP' && texts(spec.externalIPs).length > 0;
}

export function validateServiceUpdate(service: Fields, old: Fields): FieldError[] {
  const [spec, before] = [fields(service.spec), fields(old.spec)];
  if (spec.type === 'ExternalName' || before.type === 'ExternalName') return [];
  const [now, then] = [texts(spec.clusterIPs), texts(before.clusterIPs)];
  if (then.length === 0) return [];
  if (now.length === 0) return [invalidField('spec.clusterIPs[0]', now, 'primary clusterIP can not be unset')];
  return now[0] === then[0] ? [] : [invalidField('spec.clusterIPs[0]', now, 'may not change once set')];
}

export function validateServiceStatus(service: Fields): FieldError[] {
  const ingress = list(fields(fields(service.status).loadBalancer).ingress);
  if (ingress.length === 0 || fields(service.spec).type === 'LoadBalancer') return [];
  return [forbiddenField('status.loadBalancer.ingress', "may only be used when `spec.type` is 'LoadBalancer'")];
}
