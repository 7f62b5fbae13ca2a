import {
  badRequest,
  type FieldError,
  invalid,
  invalidField,
  type JsonValue,
  type MutableJsonObject,
  notSupported,
} from '@slipway/kube';
import type { DeleteOptions } from '../contract/index.js';
import { isPropagationPolicy, parseInt64, validateDryRun } from './options.js';
import type { Query } from './query.js';

interface RawDeleteOptions {
  readonly dryRun: readonly unknown[];
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: string;
  readonly orphanDependents?: boolean;
  readonly preconditions?: DeleteOptions['preconditions'];
}

/** Parses DeleteOptions. Like upstream, ignores the query if the request has a body: kubectl uses both. */
export function parseDeleteOptions(query: Query, body: MutableJsonObject | undefined): DeleteOptions {
  return validate(body === undefined ? fromQuery(query) : fromBody(body));
}

function fromQuery(query: Query): RawDeleteOptions {
  const grace = query.get('gracePeriodSeconds');
  const policy = query.get('propagationPolicy');
  return {
    dryRun: query.getAll('dryRun'),
    ...(grace === undefined || grace === '' ? {} : { gracePeriodSeconds: parseInt64(grace) }),
    ...(query.has('orphanDependents') ? { orphanDependents: query.flag('orphanDependents') } : {}),
    ...(policy === undefined ? {} : { propagationPolicy: policy }),
  };
}

function fromBody(body: MutableJsonObject): RawDeleteOptions {
  const kind = body['kind'] ?? '';
  if (kind !== '' && kind !== 'DeleteOptions')
    throw badRequest(`no kind ${JSON.stringify(kind)} is registered for deletion: the body must be DeleteOptions`);
  const preconditions = field(body, 'preconditions', 'object') as MutableJsonObject | undefined;
  const dryRun = body['dryRun'] ?? [];
  if (!Array.isArray(dryRun)) throw wrongType('dryRun', dryRun, '[]string');
  return {
    dryRun,
    gracePeriodSeconds: field(body, 'gracePeriodSeconds', 'number') as number | undefined,
    orphanDependents: field(body, 'orphanDependents', 'boolean') as boolean | undefined,
    propagationPolicy: field(body, 'propagationPolicy', 'string') as string | undefined,
    ...(preconditions === undefined ? {} : { preconditions: parsePreconditions(preconditions) }),
  };
}

function parsePreconditions(value: MutableJsonObject): NonNullable<DeleteOptions['preconditions']> {
  return {
    uid: field(value, 'uid', 'string') as string | undefined,
    resourceVersion: field(value, 'resourceVersion', 'string') as string | undefined,
  };
}

const goTypes = { object: 'v1.Preconditions', number: 'int64', boolean: 'bool', string: 'string' } as const;

function field(body: MutableJsonObject, name: string, type: keyof typeof goTypes): JsonValue | undefined {
  const value = Object.hasOwn(body, name) ? body[name] : undefined;
  if (value === undefined || value === null) return undefined;
  // oxlint-disable-next-line valid-typeof -- the names are those of typeof
  if (typeof value !== type || Array.isArray(value)) throw wrongType(name, value, goTypes[type]);
  return value;
}

function wrongType(name: string, value: JsonValue, goType: string): Error {
  const actual = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return badRequest(
    `DeleteOptions in version "v1" cannot be handled as a DeleteOptions: json: cannot unmarshal ${actual} into Go struct field DeleteOptions.${name} of type ${goType}`,
  );
}

function validate(raw: RawDeleteOptions): DeleteOptions {
  const errors: FieldError[] = [];
  const { orphanDependents, propagationPolicy, preconditions, gracePeriodSeconds } = raw;
  if (orphanDependents !== undefined && propagationPolicy !== undefined)
    errors.push(
      invalidField(
        'propagationPolicy',
        propagationPolicy,
        'orphanDependents and deletionPropagation cannot be both set',
      ),
    );
  if (propagationPolicy !== undefined && !isPropagationPolicy(propagationPolicy))
    errors.push(notSupported('propagationPolicy', propagationPolicy, ['Foreground', 'Background', 'Orphan', 'nil']));
  errors.push(...validateDryRun(raw.dryRun));
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
  return {
    ...(raw.dryRun.length > 0 ? { dryRun: true } : {}),
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(propagationPolicy !== undefined && isPropagationPolicy(propagationPolicy) ? { propagationPolicy } : {}),
    ...(preconditions === undefined ? {} : { preconditions }),
  };
}
