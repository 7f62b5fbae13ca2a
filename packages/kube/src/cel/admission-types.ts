import type { CelType } from './types/index.js';
import * as cel from './types/index.js';

function struct(name: string, fields: Readonly<Record<string, CelType>>): CelType {
  return cel.structType(`kubernetes.${name}`, new Map(Object.entries(fields)));
}

const { boolType: bool, dynType: dyn, intType: int, stringType: string, timestampType: timestamp } = cel;
const strings = cel.listType(string);

const groupVersionKind = struct('GroupVersionKind', { group: string, version: string, kind: string });
const groupVersionResource = struct('GroupVersionResource', { group: string, version: string, resource: string });
const userInfo = struct('UserInfo', {
  username: string,
  uid: string,
  groups: strings,
  extra: cel.mapType(string, strings),
});

/** The `request` variable: an AdmissionRequest without the objects. */
export const admissionRequestType: CelType = struct('AdmissionRequest', {
  kind: groupVersionKind,
  resource: groupVersionResource,
  subResource: string,
  requestKind: groupVersionKind,
  requestResource: groupVersionResource,
  requestSubResource: string,
  name: string,
  namespace: string,
  operation: string,
  userInfo,
  dryRun: bool,
  options: dyn,
});

const condition = struct('NamespaceCondition', {
  status: string,
  type: string,
  lastTransitionTime: timestamp,
  message: string,
  reason: string,
});
const namespaceMetadata = struct('NamespaceMetadata', {
  name: string,
  generateName: string,
  namespace: string,
  labels: cel.mapType(string, string),
  annotations: cel.mapType(string, string),
  UID: string,
  creationTimestamp: timestamp,
  deletionGracePeriodSeconds: int,
  deletionTimestamp: timestamp,
  generation: int,
  resourceVersion: string,
  finalizers: strings,
});

/** The `namespaceObject` variable. */
export const namespaceObjectType: CelType = struct('Namespace', {
  metadata: namespaceMetadata,
  spec: struct('NamespaceSpec', { finalizers: strings }),
  status: struct('NamespaceStatus', { conditions: cel.listType(condition), phase: string }),
});

export const authorizerType: CelType = cel.namedType('Authorizer');
export const resourceCheckType: CelType = cel.namedType('ResourceCheck');

/** `Object`, `Object.spec` and so on, which mutating policies construct. Their fields are not known at compile time. */
export function objectType(name = 'Object'): CelType {
  return { ...cel.structType(name), open: true };
}

export const jsonPatchType: CelType = cel.structType(
  'JSONPatch',
  new Map<string, CelType>([
    ['op', string],
    ['path', string],
    ['from', string],
    ['value', dyn],
  ]),
);

export function resolvePatchType(name: string): CelType | undefined {
  if (name === 'JSONPatch') return jsonPatchType;
  return name === 'Object' || name.startsWith('Object.') ? objectType(name) : undefined;
}
