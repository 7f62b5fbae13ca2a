import type { KubeObject } from '@slipway/kube';
import { type Lookup, processTemplate, type TemplateVariable, templateVariables } from '../envsubst/index.js';
import { parseObjects } from './manifest.js';
import { isNamespacedKind } from './namespaced.js';

/** A template with its values in place. */
export interface ClusterTemplate {
  readonly variables: readonly TemplateVariable[];
  /** None when only the variables were asked for. */
  readonly objects: readonly KubeObject[];
}

export interface TemplateOptions {
  readonly lookup: Lookup;
  /** Where every object goes that can; '' leaves them where the template says. */
  readonly targetNamespace: string;
  /** Only tell what the template asks for. */
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

/** Several templates as one; the first to give a default for a variable keeps it. */
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
