import {
  checkQualifiedName,
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  notFoundField,
  requiredField,
} from '@slipway/kube';
import { fields, type Fields, has, list, number, sortedKeys, text } from '../shared/fields.js';
import { quantityNanos } from '../shared/quantity.js';
import {
  checkPortName,
  dnsLabel,
  nonNegative,
  oneOf,
  portNumber,
  portNumberOrName,
  positive,
  problems,
  reference,
} from '../shared/validation.js';

export const protocols = ['SCTP', 'TCP', 'UDP'] as const;

interface PodNames {
  /** Names of the pod's volumes that are valid. */
  readonly volumes: ReadonlySet<string>;
}

export function validateContainers(containers: readonly Fields[], names: PodNames, path: string): FieldError[] {
  if (containers.length === 0) return [requiredField(path)];
  const seen = new Set<string>();
  const errors = containers.flatMap((container, index) => {
    const at = `${path}[${index}]`;
    const found = [...validateCommon(container, names, at), ...unique(seen, container, at)];
    for (const key of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
      if (has(container[key])) found.push(...validateProbe(container[key], `${at}.${key}`, key));
    }
    return found;
  });
  return [...errors, ...hostPortConflicts(containers, path)];
}

export function validateInitContainers(
  containers: readonly Fields[],
  regular: readonly Fields[],
  names: PodNames,
  path: string,
): FieldError[] {
  const seen = new Set(regular.map(({ name }) => text(name)));
  return containers.flatMap((container, index) => {
    const at = `${path}[${index}]`;
    const found = [...validateCommon(container, names, at), ...unique(seen, container, at)];
    if (container.restartPolicy === 'Always') return found;
    for (const key of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']) {
      const why = 'may not be set for init containers without restartPolicy=Always';
      if (container[key] !== undefined) found.push(forbiddenField(`${at}.${key}`, why));
    }
    return found;
  });
}

export function unique(seen: Set<string>, container: Fields, path: string): FieldError[] {
  const name = text(container.name);
  if (seen.has(name)) return [duplicateField(`${path}.name`, name)];
  if (name !== '') seen.add(name);
  return [];
}

export function validateCommon(container: Fields, names: PodNames, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (text(container.name) === '') errors.push(requiredField(`${path}.name`));
  else errors.push(...dnsLabel(`${path}.name`, container.name));
  if (text(container.image) === '') errors.push(requiredField(`${path}.image`));
  errors.push(
    ...oneOf(`${path}.terminationMessagePolicy`, container.terminationMessagePolicy, ['File', 'FallbackToLogsOnError']),
    ...validatePorts(list(container.ports), `${path}.ports`),
    ...list(container.env).flatMap((item, index) => validateVariable(item, `${path}.env[${index}]`)),
    ...list(container.envFrom).flatMap((item, index) => validateVariableSource(item, `${path}.envFrom[${index}]`)),
    ...validateMounts(list(container.volumeMounts), names, `${path}.volumeMounts`),
    ...oneOf(`${path}.imagePullPolicy`, container.imagePullPolicy, ['Always', 'IfNotPresent', 'Never']),
    ...validateResources(fields(container.resources), `${path}.resources`),
  );
  return errors;
}

function validatePorts(ports: readonly Fields[], path: string): FieldError[] {
  const seen = new Set<string>();
  return ports.flatMap((port, index) => {
    const at = `${path}[${index}]`;
    const errors: FieldError[] = [];
    const name = text(port.name);
    const wrong = name === '' ? [] : checkPortName(name);
    errors.push(...problems(`${at}.name`, name, wrong));
    if (name !== '' && wrong.length === 0 && seen.has(name)) errors.push(duplicateField(`${at}.name`, name));
    seen.add(name);
    if (number(port.containerPort) === 0) errors.push(requiredField(`${at}.containerPort`));
    else errors.push(...portNumber(`${at}.containerPort`, port.containerPort));
    if (number(port.hostPort) !== 0) errors.push(...portNumber(`${at}.hostPort`, port.hostPort));
    errors.push(...oneOf(`${at}.protocol`, port.protocol, protocols));
    return errors;
  });
}

function hostPortConflicts(containers: readonly Fields[], path: string): FieldError[] {
  const seen = new Set<string>();
  return containers.flatMap((container, outer) =>
    list(container.ports).flatMap((port, inner) => {
      if (number(port.hostPort) === 0) return [];
      const shown = `${text(port.protocol)}/${text(port.hostIP)}/${number(port.hostPort)}`;
      if (seen.has(shown)) return [duplicateField(`${path}[${outer}].ports[${inner}].hostPort`, shown)];
      seen.add(shown);
      return [];
    }),
  );
}

const variablePattern = /^[ -<>-~]+$/;
const variableText = "a valid environment variable name must consist only of printable ASCII characters other than '='";

function validateVariable(variable: Fields, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const name = text(variable.name);
  if (name === '') errors.push(requiredField(`${path}.name`));
  else if (!variablePattern.test(name)) errors.push(invalidField(`${path}.name`, name, variableText));
  if (has(variable.valueFrom)) errors.push(...validateValueFrom(variable, variable.valueFrom, `${path}.valueFrom`));
  return errors;
}

const valueSources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'] as const;

function validateValueFrom(variable: Fields, from: Fields, path: string): FieldError[] {
  const given = valueSources.filter((key) => has(from[key]));
  const errors = (['configMapKeyRef', 'secretKeyRef'] as const).flatMap((key) =>
    has(from[key]) ? validateKeyReference(from[key], `${path}.${key}`) : [],
  );
  if (has(from.fieldRef)) errors.push(...validateFieldReference(from.fieldRef, `${path}.fieldRef`));
  if (given.length === 0) {
    const why =
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    errors.push(invalidField(path, '', why));
  } else if (text(variable.value) !== '') {
    errors.push(invalidField(path, '', 'may not be specified when `value` is not empty'));
  } else if (given.length > 1) {
    errors.push(invalidField(path, '', 'may not have more than one field specified at a time'));
  }
  return errors;
}

function validateKeyReference(selector: Fields, path: string): FieldError[] {
  const errors = reference(`${path}.name`, selector.name);
  if (text(selector.key) === '') errors.push(requiredField(`${path}.key`));
  return errors;
}

function validateFieldReference(selector: Fields, path: string): FieldError[] {
  if (text(selector.apiVersion) === '') return [requiredField(`${path}.apiVersion`)];
  return text(selector.fieldPath) === '' ? [requiredField(`${path}.fieldPath`)] : [];
}

function validateVariableSource(source: Fields, path: string): FieldError[] {
  const given = ['configMapRef', 'secretRef'].filter((key) => has(source[key]));
  const errors = given.flatMap((key) => reference(`${path}.${key}.name`, fields(source[key]).name));
  if (given.length === 0) errors.push(invalidField(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
  else if (given.length > 1)
    errors.push(invalidField(path, '', 'may not have more than one field specified at a time'));
  return errors;
}

function validateMounts(mounts: readonly Fields[], names: PodNames, path: string): FieldError[] {
  const seen = new Set<string>();
  return mounts.flatMap((mount, index) => {
    const at = `${path}[${index}]`;
    const errors: FieldError[] = [];
    const [name, mountPath] = [text(mount.name), text(mount.mountPath)];
    if (name === '') errors.push(requiredField(`${at}.name`));
    if (!names.volumes.has(name)) errors.push(notFoundField(`${at}.name`, name));
    if (mountPath === '') errors.push(requiredField(`${at}.mountPath`));
    if (seen.has(mountPath)) errors.push(invalidField(`${at}.mountPath`, mountPath, 'must be unique'));
    seen.add(mountPath);
    return errors;
  });
}

const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc'] as const;

function validateProbe(probe: Fields, path: string, kind: string): FieldError[] {
  const errors = validateHandler(probe, path);
  for (const key of [
    'initialDelaySeconds',
    'timeoutSeconds',
    'periodSeconds',
    'successThreshold',
    'failureThreshold',
  ]) {
    errors.push(...nonNegative(`${path}.${key}`, probe[key]));
  }
  errors.push(...positive(`${path}.terminationGracePeriodSeconds`, probe.terminationGracePeriodSeconds));
  if (kind !== 'readinessProbe' && number(probe.successThreshold) !== 1) {
    errors.push(invalidField(`${path}.successThreshold`, number(probe.successThreshold), 'must be 1'));
  }
  return errors;
}

function validateHandler(handler: Fields, path: string): FieldError[] {
  const given = handlers.filter((key) => has(handler[key]));
  if (given.length === 0) return [requiredField(path, 'must specify a handler type')];
  const [first, ...others] = given;
  const errors: FieldError[] = [];
  const action = fields(handler[first ?? '']);
  if (first === 'exec' && list(action.command).length === 0) errors.push(requiredField(`${path}.exec.command`));
  if (first === 'httpGet' || first === 'tcpSocket')
    errors.push(...portNumberOrName(`${path}.${first}.port`, action.port));
  if (first === 'httpGet') errors.push(...oneOf(`${path}.httpGet.scheme`, action.scheme, ['HTTP', 'HTTPS']));
  if (first === 'grpc') errors.push(...portNumber(`${path}.grpc.port`, action.port));
  return [
    ...errors,
    ...others.map((key) => forbiddenField(`${path}.${key}`, 'may not specify more than 1 handler type')),
  ];
}

const plainResources = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** Validates requests and limits of a container. */
function validateResources(resources: Fields, path: string): FieldError[] {
  const [limits, requests] = [fields(resources.limits), fields(resources.requests)];
  return [
    ...sortedKeys(limits).flatMap((name) => validateAmount(name, limits[name], `${path}.limits[${name}]`)),
    ...sortedKeys(requests).flatMap((name) => [
      ...validateAmount(name, requests[name], `${path}.requests[${name}]`),
      ...validateWithinLimit(name, requests[name], limits[name], `${path}.requests`),
    ]),
  ];
}

function validateWithinLimit(name: string, request: unknown, limit: unknown, path: string): FieldError[] {
  if (limit === undefined || quantityNanos(request) <= quantityNanos(limit)) return [];
  return [invalidField(path, request, `must be less than or equal to ${name} limit of ${text(limit)}`)];
}

function validateAmount(name: string, amount: unknown, path: string): FieldError[] {
  const errors = problems(path, name, checkQualifiedName(name));
  if (errors.length === 0 && !name.includes('/') && !plainResources.has(name) && !name.startsWith('hugepages-')) {
    errors.push(invalidField(path, name, 'must be a standard resource type or fully qualified'));
    errors.push(invalidField(path, name, 'must be a standard resource for containers'));
  }
  if (quantityNanos(amount) < 0n) errors.push(invalidField(path, amount, 'must be greater than or equal to 0'));
  return errors;
}
