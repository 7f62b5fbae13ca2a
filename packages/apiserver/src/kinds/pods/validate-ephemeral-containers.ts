import { type FieldError, forbiddenField, notFoundField } from '@slipway/kube';
import { type Fields, list, text } from '../shared/fields.js';
import { unique, validateCommon } from './validate-containers.js';
import { validateVolumes } from './validate-volumes.js';

const regularOnly = [
  'ports',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
  'resources',
  'resizePolicy',
];

/** Validates ephemeral containers, which may not have ports, probes or resources. */
export function validateEphemeralContainers(spec: Fields, path: string): FieldError[] {
  const regular = [...list(spec.containers), ...list(spec.initContainers)].map(({ name }) => text(name));
  const seen = new Set(regular);
  const names = { volumes: validateVolumes(list(spec.volumes), `${path}.volumes`).names };
  return list(spec.ephemeralContainers).flatMap((container, index) => {
    const at = `${path}.ephemeralContainers[${index}]`;
    const { ports: _ports, resources: _resources, ...common } = container;
    const errors = [...validateCommon(common, names, at), ...unique(seen, container, at)];
    const target = text(container.targetContainerName);
    if (target !== '' && !regular.includes(target)) errors.push(notFoundField(`${at}.targetContainerName`, target));
    for (const key of regularOnly) {
      if (isSet(container[key]))
        errors.push(forbiddenField(`${at}.${key}`, 'cannot be set for an Ephemeral Container'));
    }
    return errors;
  });
}

function isSet(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
