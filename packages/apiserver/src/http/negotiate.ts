import { StatusError } from '@slipway/kube';
import { parseAccept, type MediaType } from './media-type.js';

export type Encoding = 'json' | 'yaml';
/** `object`: as it is. The others are the views of meta.k8s.io that any object can be turned into. */
type View = 'object' | 'table' | 'metadata' | 'metadataList';

export interface Negotiated {
  readonly encoding: Encoding;
  readonly view: View;
  /** Version of meta.k8s.io, for views. */
  readonly viewVersion: 'v1' | 'v1beta1';
  readonly pretty: boolean;
}

const viewsByName: Readonly<Record<string, View>> = {
  Table: 'table',
  PartialObjectMetadata: 'metadata',
  PartialObjectMetadataList: 'metadataList',
};

interface NegotiateOptions {
  readonly accept: string | undefined;
  readonly views: boolean;
  readonly custom: boolean;
  /** The path can be watched as well. */
  readonly watchable?: boolean;
}

type Choice = Omit<Negotiated, 'pretty'> & { readonly pretty: boolean | undefined };

const plainJson: Choice = { encoding: 'json', view: 'object', viewVersion: 'v1', pretty: undefined };

/** The first clause that can be served. Throws 406 when there is none. */
export function negotiate(options: NegotiateOptions, prettyQuery: string | undefined, userAgent: string): Negotiated {
  const choice = choose(options.accept, options.views);
  if (choice === undefined)
    throw notAcceptable(options.custom || mentionsView(options.accept ?? ''), options.watchable === true);
  return { ...choice, pretty: choice.pretty ?? isPretty(prettyQuery, userAgent) };
}

/** What to encode an error in: never fails, since the error matters more than its form. */
export function negotiateError(accept: string | undefined): Encoding {
  return choose(accept, false)?.encoding ?? 'json';
}

function choose(accept: string | undefined, views: boolean): Choice | undefined {
  if (accept === undefined || accept === '') return plainJson;
  for (const clause of parseAccept(accept)) {
    const choice = chooseClause(clause, views);
    if (choice !== undefined) return choice;
  }
  return undefined;
}

function chooseClause(clause: MediaType, views: boolean): Choice | undefined {
  const encoding = encodingOf(clause);
  if (encoding === undefined) return undefined;
  const stream = clause.parameters.get('stream');
  if (stream !== undefined && stream !== '' && stream !== 'watch') return undefined;
  const pretty = clause.parameters.get('pretty');
  const prettyChoice = pretty === undefined ? undefined : pretty === '1';
  const target = clause.parameters.get('as');
  if (target === undefined) return { ...plainJson, encoding, pretty: prettyChoice };
  const view = viewsByName[target];
  const viewVersion = clause.parameters.get('v');
  if (view === undefined || !views || clause.parameters.get('g') !== 'meta.k8s.io') return undefined;
  if (viewVersion !== 'v1' && viewVersion !== 'v1beta1') return undefined;
  return { encoding, view, viewVersion, pretty: prettyChoice };
}

function encodingOf(clause: MediaType): Encoding | undefined {
  if (clause.type === '*') return clause.subtype === '*' ? 'json' : undefined;
  if (clause.type !== 'application') return undefined;
  if (clause.subtype === 'json' || clause.subtype === '*') return 'json';
  return clause.subtype === 'yaml' ? 'yaml' : undefined;
}

/** People with a terminal or a browser want to read; programs do not. */
export function isPretty(query: string | undefined, userAgent: string): boolean {
  if (query !== undefined && query !== '') return /^(1|t|T|TRUE|true|True)$/.test(query);
  return userAgent.startsWith('curl') || userAgent.startsWith('Wget') || userAgent.startsWith('Mozilla/5.0');
}

export const jsonMediaType = 'application/json';
export const yamlMediaType = 'application/yaml';
export const protobufMediaType = 'application/vnd.kubernetes.protobuf';
const produced = `${jsonMediaType}, ${yamlMediaType}, ${protobufMediaType}`;

const streamed = `${jsonMediaType};stream=watch, ${protobufMediaType};stream=watch`;

/** What goes wrong with a view goes wrong behind the router, which has words of its own. */
function mentionsView(accept: string): boolean {
  return parseAccept(accept).some(
    ({ parameters, ...clause }) => parameters.has('as') && encodingOf({ ...clause, parameters }) !== undefined,
  );
}

function notAcceptable(custom: boolean, watchable: boolean): StatusError {
  return custom
    ? notAcceptableError(`only the following media types are accepted: ${produced}`)
    : new StatusError({
        code: 406,
        reason: 'NotAcceptable',
        message: `406: Not Acceptable\n\nAvailable representations: ${watchable ? `${produced}, ${streamed}` : produced}`,
        details: {},
      });
}

export function notAcceptableError(message: string): StatusError {
  return new StatusError({ code: 406, reason: 'NotAcceptable', message });
}

export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  return new StatusError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  });
}

export function contentTypeOf(encoding: Encoding): string {
  return encoding === 'json' ? jsonMediaType : yamlMediaType;
}
