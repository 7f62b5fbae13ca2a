import type { Lookup, ProviderComponents, TemplateVariable } from '@slipway/clusterctl';

export interface VariableWithValue {
  readonly name: string;
  /** Whether the variable must be set, because it has no default. */
  readonly required: boolean;
  /** The current or default value. */
  readonly value?: string;
}

/** Adds the current value to each variable. A variable with a value is not required, like one with a default. */
export function variablesWithValues(variables: readonly TemplateVariable[], lookup: Lookup): VariableWithValue[] {
  return variables.map(({ name, default: fallback }) => {
    const value = lookup(name) ?? fallback;
    return { name, required: value === undefined, ...(value !== undefined && { value }) };
  });
}

/** Lists the variables in clusterctl's format. */
export function variablesText(variables: readonly VariableWithValue[]): string {
  const required = variables.filter((variable) => variable.required);
  const optional = variables.filter((variable) => !variable.required);
  const width = Math.max(0, ...optional.map(({ name }) => name.length));
  const lines = [
    ...(required.length > 0 ? ['Required Variables:', ...required.map(({ name }) => `  - ${name}`)] : []),
    ...(optional.length > 0 ? ['', 'Optional Variables:'] : []),
    ...optional.map(({ name, value = '' }) => `  - ${name.padEnd(width)}  (defaults to ${quoted(value)})`),
  ];
  return `${lines.join('\n')}\n\n`;
}

function quoted(value: string): string {
  return value.startsWith('"') ? value : JSON.stringify(value);
}

/** Describes a provider in clusterctl's format. */
export function descriptionText({ provider, url, variables, images }: ProviderComponents): string {
  const [file = '', , ...base] = url.split('/').reverse();
  const facts = [
    ['Name:', provider.name],
    ['Type:', provider.type],
    ['URL:', `${base.reverse().join('/')}/`],
    ['Version:', provider.version],
    ['File:', file],
    ['TargetNamespace:', provider.namespace],
  ];
  const list = (title: string, items: readonly string[]): string =>
    items.length === 0 ? '' : `${title}\n${items.map((item) => `  - ${item}\n`).join('')}`;
  const lines = facts.map(([name = '', value = '']) => `${name.padEnd(20)}${value}\n`).join('');
  return `${lines}${list('Variables:', variables)}${list('Images:', images)}\n`;
}
