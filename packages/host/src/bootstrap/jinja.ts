import { BootstrapDataError } from './bootstrap-data-error.js';

/** Facts of a machine by name, as deep as they go. */
export interface Facts {
  readonly [name: string]: string | Facts;
}

const header = /^## *template: *jinja\r?\n/;
const tag = /\{#[\s\S]*?#\}|\{%-?\s*raw\s*-?%\}([\s\S]*?)\{%-?\s*endraw\s*-?%\}|\{%[\s\S]*?%\}|\{\{([\s\S]*?)\}\}/g;
const path = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*|\[(?:'[^']*'|"[^"]*")\])*$/;

/**
 * Fills in facts of the machine where data says that it is a template, as cloud-init does: a name it does not know becomes a
 * mark that says so. Only what bootstrap data uses of the language is known: names, comments and raw text.
 */
export function fillTemplate(data: string, facts: Facts): string {
  if (!header.test(data)) return data;
  return data.replace(header, '').replaceAll(tag, (whole, raw: string | undefined, expression: string | undefined) => {
    if (raw !== undefined) return raw;
    if (whole.startsWith('{#')) return '';
    if (expression === undefined)
      throw new BootstrapDataError('the template uses a statement: only names can be filled in');
    return valueOf(expression.trim(), facts);
  });
}

function valueOf(expression: string, facts: Facts): string {
  if (!path.test(expression))
    throw new BootstrapDataError(
      'the template computes something: only names such as ds.meta_data.hostname can be filled in',
    );
  const names = [...expression.matchAll(/\['([^']*)'\]|\["([^"]*)"\]|(\w+)/g)].map(
    ([, ...found]) => found.find(Boolean) ?? '',
  );
  let value: string | Facts | undefined = facts;
  for (const name of names) value = typeof value === 'object' && Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof value === 'string' ? value : `CI_MISSING_JINJA_VAR/${names.at(-1) ?? ''}`;
}
