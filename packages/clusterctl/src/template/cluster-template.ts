import type { KubeObject } from '@slipway/kube';
import { type Lookup, processTemplate, type TemplateVariable, templateVariables } from '../envsubst/index.js';
import { parseObjects } from './manifest.js';
import { isNamespacedKind } from './namespaced.js';

/** A template with substituted variables. */
export interface ClusterTemplate {
  readonly variables: readonly TemplateVariable[];
  /** Empty if only the variables were requested. */
  readonly objects: readonly KubeObject[];
}

export interface TemplateOptions {
  readonly lookup: Lookup;
  /** The namespace of all namespaced objects. Empty to keep the namespaces of the template. */
  readonly targetNamespace: string;
  /** Whether to return only the variables of the template. */
  readonly variablesOnly?: boolean;
}

export function renderTemplate(text: string, options: TemplateOptions): ClusterTemplate {
  const variables = templateVariables(text);
  if (options.variablesOnly === true) return { variables, objects: [] };
  const objects = parseObjects(processTemplate(text, options.lookup));
  const { targetNamespace } = options;
  return {
    variables,
    objects: targetNamespace === '' ? objects : objects.map((object) => moveTo(object, targetNamespace)),
  };
}

function moveTo(object: KubeObject, namespace: string): KubeObject {
  if (object.kind === 'Namespace') return { ...object, metadata: { ...object.metadata, name: namespace } };
  return isNamespacedKind(object.kind) ? { ...object, metadata: { ...object.metadata, namespace } } : object;
}

/** Merges templates. If several define a default for a variable, the first one is used. */
export function mergeTemplates(templates: readonly ClusterTemplate[]): ClusterTemplate {
  const variables = new Map<string, TemplateVariable>();
  for (const variable of templates.flatMap((template) => template.variables)) {
    if (variables.get(variable.name)?.default === undefined) variables.set(variable.name, variable);
  }
  return {
    variables: [...variables.values()].sort((left, right) => (left.name < right.name ? -1 : 1)),
    objects: templates.flatMap((template) => template.objects),
  };
}
