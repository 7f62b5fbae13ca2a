import { type Quantity, quantityMilliValue, quantityValue, formatQuantity } from '@slipway/kube';
import { type Amounts } from '../quota/amounts.js';

/** One limit of one resource: `memory` of a `Container`, at most `1Gi`. */
export interface Limit {
  readonly type: string;
  readonly name: string;
  readonly bound: Quantity;
}

export interface Resources {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

type Constraint = (limit: Limit, resources: Resources) => string | undefined;

function less(left: Quantity, right: Quantity): boolean {
  return left.nanos < right.nanos;
}

export const minimum: Constraint = ({ type, name, bound }, { requests, limits }) => {
  const [request, limit] = [requests.get(name), limits.get(name)];
  const rule = `minimum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  if (request === undefined) return `${rule}.  No request is specified`;
  if (less(request, bound)) return `${rule}, but request is ${formatQuantity(request)}`;
  if (limit !== undefined && less(limit, bound)) return `${rule}, but limit is ${formatQuantity(limit)}`;
  return undefined;
};

export const maximum: Constraint = ({ type, name, bound }, { requests, limits }) => {
  const [request, limit] = [requests.get(name), limits.get(name)];
  const rule = `maximum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  if (limit === undefined) return `${rule}.  No limit is specified`;
  if (less(bound, limit)) return `${rule}, but limit is ${formatQuantity(limit)}`;
  if (request !== undefined && less(bound, request)) return `${rule}, but request is ${formatQuantity(request)}`;
  return undefined;
};

/** Checks the maximum of objects that have requests only, such as PersistentVolumeClaims. */
export const maximumRequest: Constraint = ({ type, name, bound }, { requests }) => {
  const request = requests.get(name);
  const rule = `maximum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  if (request === undefined) return `${rule}.  No request is specified`;
  return less(bound, request) ? `${rule}, but request is ${formatQuantity(request)}` : undefined;
};

/** Largest value that upstream compares in milli units. Larger values are compared in whole units. */
const milliValueMax = 9_223_372_036_854_775n;

export const ratio: Constraint = ({ type, name, bound }, { requests, limits }) => {
  const [request, limit] = [requests.get(name), limits.get(name)];
  const rule = `${name} max limit to request ratio per ${type} is ${formatQuantity(bound)}`;
  if (request === undefined || request.nanos === 0n) return `${rule}, but no request is specified or request is 0`;
  if (limit === undefined || limit.nanos === 0n) return `${rule}, but no limit is specified or limit is 0`;
  const [requested, allowed] = inSameUnit(request, limit);
  const observed = Number(allowed) / Number(requested);
  const exact = quantityValue(bound) <= milliValueMax;
  const tooHigh = exact ? observed * 1000 > Number(quantityMilliValue(bound)) : observed > Number(quantityValue(bound));
  return tooHigh ? `${rule}, but provided ratio is ${observed.toFixed(6)}` : undefined;
};

function inSameUnit(request: Quantity, limit: Quantity): [bigint, bigint] {
  const small = quantityValue(request) <= milliValueMax && quantityValue(limit) <= milliValueMax;
  const unit = small ? quantityMilliValue : quantityValue;
  return [unit(request), unit(limit)];
}
