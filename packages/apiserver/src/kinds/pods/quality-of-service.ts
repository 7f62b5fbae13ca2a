import { fields, type Fields, list } from '../shared/fields.js';
import { quantityNanos } from '../shared/quantity.js';

const counted = ['cpu', 'memory'] as const;

/** Returns the QoS class (Guaranteed, Burstable or BestEffort) for the requests and limits of the containers. */
export function qualityOfService(spec: Fields): string {
  const containers = [...list(spec.initContainers), ...list(spec.containers)].map(({ resources }) => ({
    requests: fields(fields(resources).requests),
    limits: fields(fields(resources).limits),
  }));
  const hasResources = containers.some(({ requests, limits }) =>
    counted.some((name) => quantityNanos(requests[name]) > 0n || quantityNanos(limits[name]) > 0n),
  );
  if (!hasResources) return 'BestEffort';
  const guaranteed = containers.every(({ requests, limits }) =>
    counted.every((name) => {
      const limit = quantityNanos(limits[name]);
      const request = requests[name] === undefined ? limit : quantityNanos(requests[name]);
      return limit > 0n && request === limit;
    }),
  );
  return guaranteed ? 'Guaranteed' : 'Burstable';
}
