import { type Frozen, type KubeObject, parseApiVersion } from '@slipway/kube';
import {
  type Change,
  done,
  edit,
  ensureOwnerReference,
  FencedError,
  isDeleting,
  joinOutcomes,
  type ObjectKey,
  type Outcome,
  ownerReference,
  ReconcileError,
  type ReconcileContext,
  retry,
  terminal,
} from '@slipway/runtime';
import { clusterClasses } from '../api/index.js';
import { resolveKind } from '../contract/index.js';
import { openReconcile } from '../toolkit/index.js';
import { type ClassOutcome, classStatusChange, type OutdatedReference } from './class-status.js';
import { type ClassVariable, conflictingVariables, mergeVariables, type VariableSource } from './class-variables.js';
import {
  type ObservedClass,
  templateIndex,
  templateKey,
  type TemplateReference,
  templatesOf,
} from './template-references.js';

type Patch = NonNullable<ObservedClass['spec']['patches']>[number];

/** Returns the variables that the extension of a patch declares. */
export type DiscoverVariables = (
  context: ReconcileContext,
  clusterClass: ObservedClass,
  patch: Patch,
) => Promise<readonly ClassVariable[]>;

/** Adopts the templates of a class, collects its variables, and reports in conditions whether the class can be used. */
export async function reconcileClass(
  key: ObjectKey,
  context: ReconcileContext,
  discover: DiscoverVariables | undefined,
): Promise<Outcome> {
  const clusterClass = context.sources.sourceFor(clusterClasses).get(key);
  if (clusterClass === undefined) return done();
  if (!(await openReconcile(context, clusterClasses, clusterClass, {}))) return done();
  if (isDeleting(clusterClass as Frozen<KubeObject>)) return done();
  const outcome = {
    ...(await reconcileTemplates(context, clusterClass)),
    ...(await reconcileVariables(context, clusterClass, discover)),
  };
  await context.change(classStatusChange(clusterClass, outcome, context.clock.now()));
  return joinOutcomes([outcomeOf(outcome.referencesError), outcomeOf(outcome.variablesError)]);
}

function outcomeOf(error: Error | undefined): Outcome {
  if (error === undefined) return done();
  const waits = error instanceof ReconcileError && (error.retry === 'onChange' || error.retry === 'never');
  return waits ? terminal(error) : retry(error);
}

async function reconcileTemplates(context: ReconcileContext, clusterClass: ObservedClass): Promise<ClassOutcome> {
  const outdated: OutdatedReference[] = [];
  const errors: Error[] = [];
  const adoptions: Change[] = [];
  for (const reference of templatesOf(clusterClass)) {
    try {
      const { latest, adoption } = await observeTemplate(context, clusterClass, reference);
      if (latest !== parseApiVersion(reference.apiVersion).version) outdated.push({ reference, latest });
      adoptions.push(...adoption);
    } catch (error) {
      if (error instanceof FencedError) throw error;
      errors.push(error instanceof Error ? error : new Error(String(error)));
    }
  }
  try {
    await context.changeAll(adoptions, { onError: 'continue' });
  } catch (error) {
    if (error instanceof FencedError) throw error;
    errors.push(error instanceof Error ? error : new Error(String(error)));
  }
  return { outdated, ...(errors.length === 0 ? {} : { referencesError: joined(errors) }) };
}

interface ObservedTemplate {
  /** The API version that the ClusterClass should reference, according to the contract labels of the CRD. */
  readonly latest: string;
  /** Patches that set the ClusterClass as an owner of the template. Empty if it already is. */
  readonly adoption: readonly Change[];
}

async function observeTemplate(
  context: ReconcileContext,
  clusterClass: ObservedClass,
  reference: TemplateReference,
): Promise<ObservedTemplate> {
  const { group } = parseApiVersion(reference.apiVersion);
  const { resource } = resolveKind(context.sources, { apiGroup: group, kind: reference.kind });
  const source = await context.follow({
    resource,
    // Find ClusterClasses by the template name: a template that is not adopted yet has no owner reference.
    map: (object) =>
      context.sources
        .sourceFor(clusterClasses)
        .byIndex(
          templateIndex,
          templateKey({ ...object, name: object.metadata.name ?? '' }, object.metadata.namespace ?? ''),
        )
        .map(({ metadata }) => ({ namespace: metadata.namespace ?? '', name: metadata.name ?? '' })),
  });
  const namespace = clusterClass.metadata.namespace ?? '';
  const template = source.get({ namespace, name: reference.name });
  if (template === undefined) {
    throw new ReconcileError(
      'TemplateNotFound',
      `Could not find external object for the ClusterClass. refGroupVersionKind: ${reference.apiVersion}, Kind=${reference.kind}, refName: ${reference.name}, refNamespace: ${namespace}`,
      { retry: 'onChange', remedy: 'create the template, or correct the reference' },
    );
  }
  const owner = ownerReference(clusterClass as Frozen<KubeObject>);
  const after = edit(template, (draft) => ensureOwnerReference(draft.metadata, owner));
  const message = `Set ClusterClass ${clusterClass.metadata.name ?? ''} as owner of ${reference.kind} ${reference.name}`;
  const change = { verb: 'patch', resource, before: template, after, reason: 'Adopted', message } as const;
  return { latest: resource.version, adoption: after === template ? [] : [change] };
}

async function reconcileVariables(
  context: ReconcileContext,
  clusterClass: ObservedClass,
  discover: DiscoverVariables | undefined,
): Promise<Pick<ClassOutcome, 'variables' | 'variablesError'>> {
  const { spec, metadata } = clusterClass;
  const sources: VariableSource[] = [{ from: 'inline', variables: spec.variables ?? [] }];
  const errors: Error[] = [];
  const discovered = (spec.patches ?? []).filter(({ external }) => external?.discoverVariablesExtension !== undefined);
  for (const patch of discover === undefined ? [] : discovered) {
    try {
      const variables = (await discover?.(context, clusterClass, patch)) ?? [];
      sources.push({ from: patch.name, variables: variables as VariableSource['variables'] });
    } catch (error) {
      if (error instanceof FencedError) throw error;
      errors.push(error instanceof Error ? error : new Error(String(error)));
    }
  }
  if (errors.length > 0) {
    const { message } = joined(errors);
    return { variablesError: new Error(`VariableDiscovery failed: ${message}`, { cause: errors[0] }) };
  }
  const variables = mergeVariables(sources);
  const conflicts = conflictingVariables(variables);
  if (conflicts.length === 0) return { variables };
  const text = `VariableDiscovery failed: the following variables have conflicting schemas: ${conflicts.join(',')}`;
  const variablesError = new ReconcileError('VariablesConflict', text, {
    retry: 'onChange',
    remedy: `use the same definition of these variables in ClusterClass ${metadata.name ?? ''} and in its extensions`,
  });
  return { variables, variablesError };
}

function joined(errors: readonly Error[]): Error {
  const [first] = errors;
  if (errors.length === 1 && first !== undefined) return first;
  const message = `[${errors.map((error) => error.message).join(', ')}]`;
  // Return a ReconcileError, which has a message for users, only if all errors are ReconcileErrors.
  if (!errors.every((error) => error instanceof ReconcileError)) return new AggregateError(errors, message);
  const isLater = errors.some((error) => error instanceof ReconcileError && error.retry === 'later');
  return new ReconcileError('ReferencesFailed', message, { retry: isLater ? 'later' : 'onChange' });
}
