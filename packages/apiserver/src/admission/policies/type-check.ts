import {
  type CelType,
  compileExpression,
  ExpressionError,
  type Fields,
  fieldsOf,
  type Frozen,
  isFields,
  itemsOf,
  type KubeObject,
  textOf,
  textsOf,
} from '@slipway/kube';
import { admissionVariables } from '../../kinds/index.js';
import { type DefinitionSource, Equivalents, type View } from '../matching/equivalents.js';
import { objectTypeOf } from './schema-type.js';

export interface ExpressionWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

const typesMax = 10;

/** Type-checks the expressions of a validating policy against the schemas of the kinds that it names. */
export function typeCheck(policy: Frozen<KubeObject>, definitions: DefinitionSource): readonly ExpressionWarning[] {
  const spec = fieldsOf(policy['spec']);
  const views = viewsToCheck(spec, new Equivalents(definitions));
  if (views.length === 0) return [];
  const params = paramsType(spec, definitions);
  const check = (text: string, fieldRef: string): readonly ExpressionWarning[] => {
    const problems = views.flatMap((view) => problemsFor(text, spec, view, params));
    return problems.length === 0 ? [] : [{ fieldRef, warning: problems.join('\n') }];
  };
  return itemsOf(spec['validations']).flatMap((validation, index) => {
    const [expression, message] = [textOf(validation['expression']), textOf(validation['messageExpression'])];
    const path = `spec.validations[${index}]`;
    return [
      ...check(expression, `${path}.expression`),
      ...(message === '' ? [] : check(message, `${path}.messageExpression`)),
    ];
  });
}

/** Returns views of the kinds that the rules name explicitly. Rules with wildcards are skipped. */
function viewsToCheck(spec: Fields, equivalents: Equivalents): readonly View[] {
  const found = new Map<string, View>();
  for (const rule of itemsOf(fieldsOf(spec['matchConstraints'])['resourceRules'])) {
    const [groups, versions] = [textsOf(rule['apiGroups']), textsOf(rule['apiVersions'])];
    if (groups.includes('*') || versions.includes('*')) continue;
    const resources = textsOf(rule['resources']).filter((resource) => !/[*/]/.test(resource));
    for (const group of groups)
      for (const version of versions)
        for (const resource of resources) {
          const view = equivalents.view({ group, version, resource });
          if (view !== undefined && found.size < typesMax) found.set(kindText(view), view);
        }
  }
  return [...found].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, view]) => view);
}

function kindText({ kind }: View): string {
  return `${kind.group}/${kind.version}, Kind=${kind.kind}`;
}

function paramsType(spec: Fields, definitions: DefinitionSource): CelType | 'dyn' | undefined {
  const kind = spec['paramKind'];
  if (!isFields(kind)) return undefined;
  for (const definition of definitions.definitions()) {
    if (definition.kind !== kind['kind']) continue;
    const version = definition.versions.find(
      ({ name }) => (definition.group === '' ? name : `${definition.group}/${name}`) === kind['apiVersion'],
    );
    if (version !== undefined) return objectTypeOf(version.schema, definition.kind);
  }
  return 'dyn';
}

function problemsFor(text: string, spec: Fields, view: View, params: CelType | 'dyn' | undefined): readonly string[] {
  const object = objectTypeOf(view.version.schema, view.kind.kind);
  const base = { params: params !== undefined, authorizer: true };
  const typed = { object, oldObject: object, ...(params === undefined ? {} : { params }) };
  const variables = new Map<string, CelType>();
  try {
    for (const variable of itemsOf(spec['variables'])) {
      const known = { ...admissionVariables({ ...base, variables: new Map(variables) }), ...typed };
      const compiled = compileExpression(textOf(variable['expression']), { variables: known });
      variables.set(textOf(variable['name']), compiled.resultType);
    }
    compileExpression(text, { variables: { ...admissionVariables({ ...base, variables }), ...typed } });
    return [];
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return [`${kindText(view)}: ${error.message.replace(/^compilation failed: /, '')}\n`];
  }
}
