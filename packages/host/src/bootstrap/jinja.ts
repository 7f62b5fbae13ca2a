import { BootstrapDataError } from './bootstrap-data-error.js';

/** Instance metadata of a machine, by name. Values may be nested. */
export interface Facts {
  readonly [name: string]: string | Facts;
}

const header = /^## *template: *jinja\r?\n/;
const tag = /\{#[\s\S]*?#\}|\{%-?\s*raw\s*-?%\}([\s\S]*?)\{%-?\s*endraw\s*-?%\}|\{%[\s\S]*?%\}|\{\{([\s\S]*?)\}\}/g;
const path = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*|\[(?:'[^']*'|"[^"]*")\])*$/;

/**
 * Renders data that declares itself a Jinja template with the instance metadata of the machine. Like cloud-init,
 * replaces an unknown name with a marker. Supports the part of the language that bootstrap data uses: names, comments,
 * raw.
 */
export function fillTemplate(data: string, facts: Facts): string {
  if (!header.test(data)) return data;
  return data.replace(header, '').replaceAll(tag, (whole, raw: string | undefined, expression: string | undefined) => {
    if (raw !== undefined) return raw;
    if (whole.startsWith('{#')) return '';
    if (expression === undefined)
      throw new BootstrapDataError(
        'the template contains a statement: only variables such as ds.meta_data.hostname are supported',
      );
    return valueOf(expression.trim(), facts);
  });
}

function valueOf(expression: string, facts: Facts): string {
  if (!path.test(expression))
    throw new BootstrapDataError(
      'the template contains an expression: only variables such as ds.meta_data.hostname are supported',
    );
  const names = [...expression.matchAll(/\['([^']*)'\]|\["([^"]*)"\]|(\w+)/g)].map(
    ([, ...found]) => found.find(Boolean) ?? '',
  );
  let value: string | Facts | undefined = facts;
  for (const name of names) value = typeof value === 'object' && Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof value === 'string' ? value : `CI_MISSING_JINJA_VAR/${names.at(-1) ?? ''}`;
}
