import { isTime, tryParseDate } from '../../text/time.js';
import { isLooseUuid } from '../../text/uuid.js';
import type { CelType } from '../types/index.js';
import { namedType } from '../types/index.js';
import { ArrayList, Failure, noSuchOverload, Opaque, Optional } from '../values/index.js';
import type { Implementation, Library, OverloadLine } from './function.js';
import { asText } from './function.js';
import { parseRequestUri } from './go-url.js';

type Check = (text: string) => readonly string[];

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const LABEL_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

/** Returns apimachinery's message for a rule, with its pattern and examples. */
function sentence(rule: string, pattern: string, examples: readonly string[]): string {
  const shown = examples.map((example, index) => (index === 0 ? `'${example}'` : ` or '${example}'`)).join(', ');
  return `${rule} (e.g. ${shown}, regex used for validation is '${pattern}')`;
}

const LABEL_TEXT = sentence(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  LABEL,
  ['my-name', '123-abc'],
);
const LABEL_1035_TEXT = sentence(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  LABEL_1035,
  ['my-name', 'abc-123'],
);
const SUBDOMAIN_TEXT = sentence(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  SUBDOMAIN,
  ['example.com'],
);
const NAME_RULE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const NAME_TEXT = sentence(NAME_RULE, NAME, ['MyName', 'my.name', '123-abc']);
const LABEL_VALUE_TEXT = sentence(
  `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character`,
  '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?',
  ['MyValue', 'my_value', '12345'],
);

function named(pattern: string, lengthMax: number, text: string, asPrefix: boolean): Check {
  const expression = new RegExp(`^${pattern}$`);
  return (value) => {
    const checked = asPrefix && value.length > 1 && value.endsWith('-') ? `${value.slice(0, -1)}a` : value;
    const problems: string[] = [];
    if (Buffer.byteLength(checked) > lengthMax) problems.push(`must be no more than ${lengthMax} characters`);
    // Check the length before matching the pattern, because the text may have any length.
    if (problems.length === 0 ? !expression.test(checked) : !expression.test(checked.slice(0, lengthMax)))
      problems.push(text);
    return problems;
  };
}

const subdomainProblems = named(SUBDOMAIN, 253, SUBDOMAIN_TEXT, false);

function qualifiedNameProblems(value: string): readonly string[] {
  const parts = value.split('/');
  if (parts.length > 2) {
    return [`a valid label key ${NAME_TEXT} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const problems: string[] = [];
  const prefix = parts.length === 2 ? (parts[0] ?? '') : undefined;
  const name = parts.at(-1) ?? '';
  if (prefix === '') problems.push('prefix part must be non-empty');
  else if (prefix !== undefined) problems.push(...subdomainProblems(prefix).map((text) => `prefix part ${text}`));
  if (name === '') problems.push('name part must be non-empty');
  else if (Buffer.byteLength(name) > 63) problems.push('name part must be no more than 63 bytes');
  if (!new RegExp(`^${NAME}$`).test(name)) problems.push(`name part ${NAME_TEXT}`);
  return problems;
}

function labelValueProblems(value: string): readonly string[] {
  const problems: string[] = [];
  if (Buffer.byteLength(value) > 63) problems.push('must be no more than 63 bytes');
  if (value !== '' && !new RegExp(`^${NAME}$`).test(value)) problems.push(LABEL_VALUE_TEXT);
  return problems;
}

function uriProblems(value: string): readonly string[] {
  const parsed = parseRequestUri(value);
  return parsed instanceof Failure ? [parsed.message] : [];
}

function simple(isValid: (value: string) => boolean, problem: string): Check {
  return (value) => (isValid(value) ? [] : [problem]);
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;

class FormatValue extends Opaque {
  readonly type: CelType = namedType('Format');

  constructor(
    readonly name: string,
    readonly regexSize: number,
    readonly check: Check,
  ) {
    super();
  }

  equals(other: Opaque): boolean | Failure {
    return other instanceof FormatValue ? this.name === other.name : noSuchOverload();
  }

  /** The pattern length that the cost of `validate` assumes. */
  override get costSize(): undefined {
    return undefined;
  }
}

const FORMATS: ReadonlyMap<string, FormatValue> = new Map(
  [
    new FormatValue('dns1123Label', 30, named(LABEL, 63, LABEL_TEXT, false)),
    new FormatValue('dns1123Subdomain', 60, subdomainProblems),
    new FormatValue('dns1035Label', 30, named(LABEL_1035, 63, LABEL_1035_TEXT, false)),
    new FormatValue('qualifiedName', 60, qualifiedNameProblems),
    new FormatValue('dns1123LabelPrefix', 30, named(LABEL, 63, LABEL_TEXT, true)),
    new FormatValue('dns1123SubdomainPrefix', 60, named(SUBDOMAIN, 253, SUBDOMAIN_TEXT, true)),
    new FormatValue('dns1035LabelPrefix', 30, named(LABEL_1035, 63, LABEL_1035_TEXT, true)),
    new FormatValue('labelValue', 40, labelValueProblems),
    new FormatValue('uri', 1103, uriProblems),
    new FormatValue(
      'uuid',
      70,
      simple((value) => isLooseUuid(value), 'does not match the UUID format'),
    ),
    new FormatValue(
      'byte',
      84,
      simple((value) => BASE64.test(value), 'invalid base64'),
    ),
    new FormatValue(
      'date',
      71,
      simple((value) => tryParseDate(value) !== undefined, 'invalid date'),
    ),
    new FormatValue(
      'datetime',
      71,
      simple((value) => isTime(value), 'invalid datetime'),
    ),
  ].map((format) => [format.name, format]),
);

export function formatRegexSize(value: unknown): number | undefined {
  return value instanceof FormatValue ? value.regexSize : undefined;
}

const validate: Implementation = (format, text) => {
  if (!(format instanceof FormatValue)) return noSuchOverload();
  const problems = format.check(asText(text));
  return problems.length === 0 ? Optional.none : Optional.of(new ArrayList([...problems]));
};

const byName: Implementation = (name) => {
  const format = FORMATS.get(asText(name));
  return format === undefined ? Optional.none : Optional.of(format);
};

function constants(): Record<string, readonly OverloadLine[]> {
  const entries = [...FORMATS].map(([name, format]): [string, readonly OverloadLine[]] => [
    `format.${name}`,
    [[`format.${name}`, '(): Format', () => format]],
  ]);
  return Object.fromEntries(entries);
}

export const formatLibrary: Library = {
  ...constants(),
  'format.named': [['format-named', '(string): optional(Format)', byName]],
  validate: [['format-validate', 'Format.(string): optional(list(string))', validate]],
};
