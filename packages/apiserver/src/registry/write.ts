import type { Frozen, GroupVersionKind, KubeObject } from '@slipway/kube';
import type {
  AdmissionRequest,
  Caller,
  Operation,
  ResourceDefinition,
  WriteContext,
  WriteOptions,
  WriteStrategy,
} from '../contract/index.js';
import type { ServedResource } from './read.js';

/** The state of one write in the pipeline. */
export interface Write {
  readonly served: ServedResource;
  readonly caller: Caller;
  readonly namespace: string;
  /** Empty on create until the name is known. */
  readonly name: string;
  readonly options: WriteOptions;
  readonly subresource: string;
  readonly strategy: WriteStrategy;
  readonly context: WriteContext;
}

export interface WriteTarget {
  readonly namespace: string;
  readonly name: string;
  readonly subresource?: string;
}

export function beginWrite(served: ServedResource, caller: Caller, target: WriteTarget, options: WriteOptions): Write {
  const subresource = target.subresource ?? '';
  return {
    served,
    caller,
    namespace: target.namespace,
    name: target.name,
    options,
    subresource,
    strategy: strategyFor(served.definition, subresource),
    context: {
      user: caller.user,
      now: served.dependencies.clock.now(),
      dryRun: options.dryRun ?? false,
      subresource,
      requestName: target.name,
      warn: (text) => caller.warn(text),
    },
  };
}

/**
 * Returns the strategy of a subresource. Most subresources use that of the kind, which checks `context.subresource`; some have their
 * own strategy.
 */
function strategyFor(definition: ResourceDefinition, subresource: string): WriteStrategy {
  return definition.subresources.find((one) => one.name === subresource)?.part ?? definition.strategy;
}

export function kindOf(served: ServedResource): GroupVersionKind {
  return { group: served.definition.group, version: served.version.name, kind: served.definition.kind };
}

export function admissionRequest(
  write: Write,
  operation: Operation,
  object: KubeObject | undefined,
  oldObject: Frozen<KubeObject> | undefined,
  optionsKind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions',
): AdmissionRequest {
  const { definition, version } = write.served;
  return {
    operation,
    user: write.caller.user,
    kind: kindOf(write.served),
    resource: { group: definition.group, version: version.name, resource: definition.plural },
    subresource: write.subresource,
    namespace: write.namespace,
    name: write.name === '' ? (object?.metadata.name ?? '') : write.name,
    object,
    oldObject,
    dryRun: write.context.dryRun,
    options: admissionOptions(write.options, optionsKind),
    warn: (text) => write.caller.warn(text),
    // Read the signal on demand: only webhooks use it, and creating it costs more than the rest of this object.
    get signal() {
      return write.caller.signal;
    },
  };
}

function admissionOptions(options: WriteOptions, kind: string): Readonly<Record<string, unknown>> {
  return {
    kind,
    apiVersion: 'meta.k8s.io/v1',
    ...(options.dryRun === true ? { dryRun: ['All'] } : {}),
    ...(options.fieldManager === undefined ? {} : { fieldManager: options.fieldManager }),
    ...(options.fieldValidation === undefined ? {} : { fieldValidation: options.fieldValidation }),
    ...(options.force === undefined ? {} : { force: options.force }),
  };
}
