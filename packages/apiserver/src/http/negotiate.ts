import { StatusError } from '@slipway/kube';
import { protobufMediaType } from './protobuf/envelope.js';
import { parseAccept, type MediaType } from './media-type.js';

export type Encoding = 'json' | 'yaml' | 'protobuf';
/** `object` is the unchanged object. The others are its meta.k8s.io views. */
type View = 'object' | 'table' | 'metadata' | 'metadataList';

export interface Negotiated {
  readonly encoding: Encoding;
  readonly view: View;
  /** meta.k8s.io version of the view. */
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
  /** Whether objects support protobuf. Custom resources do not; PartialObjectMetadata always does. */
  readonly protobuf: boolean;
  /** Whether the path can be watched. */
  readonly watchable?: boolean;
}

type Choice = Omit<Negotiated, 'pretty'> & { readonly pretty: boolean | undefined };

const plainJson: Choice = { encoding: 'json', view: 'object', viewVersion: 'v1', pretty: undefined };

/** Selects the first acceptable clause of the Accept header. Throws 406 if there is none. */
export function negotiate(options: NegotiateOptions, prettyQuery: string | undefined, userAgent: string): Negotiated {
  const choice = choose(options.accept, options);
  if (choice === undefined)
    throw notAcceptable(options.custom || mentionsView(options.accept ?? ''), options.watchable === true);
  return { ...choice, pretty: choice.pretty ?? isPretty(prettyQuery, userAgent) };
}

/** Selects the encoding of an error response. Never fails: the error matters more than its format. */
export function negotiateError(accept: string | undefined): Encoding {
  return choose(accept, { views: false, protobuf: true })?.encoding ?? 'json';
}

type Forms = Pick<NegotiateOptions, 'views' | 'protobuf'>;

function choose(accept: string | undefined, forms: Forms): Choice | undefined {
  if (accept === undefined || accept === '') return plainJson;
  for (const clause of parseAccept(accept)) {
    const choice = chooseClause(clause, forms);
    if (choice !== undefined) return choice;
  }
  return undefined;
}

function chooseClause(clause: MediaType, forms: Forms): Choice | undefined {
  const encoding = encodingOf(clause);
  if (encoding === undefined) return undefined;
  const stream = clause.parameters.get('stream');
  if (stream !== undefined && stream !== '' && stream !== 'watch') return undefined;
  const pretty = clause.parameters.get('pretty');
  const plain = { ...plainJson, encoding, pretty: pretty === undefined ? undefined : pretty === '1' };
  if (!clause.parameters.has('as')) return encoding === 'protobuf' && !forms.protobuf ? undefined : plain;
  const chosen = forms.views ? chooseView(clause) : undefined;
  // Upstream has no protobuf message for tables.
  if (chosen === undefined || (chosen.view === 'table' && encoding === 'protobuf')) return undefined;
  return { ...plain, ...chosen };
}

function chooseView({ parameters }: MediaType): Pick<Choice, 'view' | 'viewVersion'> | undefined {
  const view = viewsByName[parameters.get('as') ?? ''];
  const viewVersion = parameters.get('v');
  if (view === undefined || parameters.get('g') !== 'meta.k8s.io') return undefined;
  return viewVersion === 'v1' || viewVersion === 'v1beta1' ? { view, viewVersion } : undefined;
}

function encodingOf(clause: MediaType): Encoding | undefined {
  if (clause.type === '*') return clause.subtype === '*' ? 'json' : undefined;
  if (clause.type !== 'application') return undefined;
  if (clause.subtype === 'json' || clause.subtype === '*') return 'json';
  if (clause.subtype === 'vnd.kubernetes.protobuf') return 'protobuf';
  return clause.subtype === 'yaml' ? 'yaml' : undefined;
}

/** Whether to pretty-print. Like upstream, this is the default for browsers and curl. */
export function isPretty(query: string | undefined, userAgent: string): boolean {
  if (query !== undefined && query !== '') return /^(1|t|T|TRUE|true|True)$/.test(query);
  return userAgent.startsWith('curl') || userAgent.startsWith('Wget') || userAgent.startsWith('Mozilla/5.0');
}

export const jsonMediaType = 'application/json';
export const yamlMediaType = 'application/yaml';
const produced = `${jsonMediaType}, ${yamlMediaType}, ${protobufMediaType}`;

export const streamed = `${jsonMediaType};stream=watch, ${protobufMediaType};stream=watch`;

/**
 * Whether the Accept header requests a view. Upstream rejects unsupported views later than media types, with another error
 * message.
 */
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

const mediaTypes: Readonly<Record<Encoding, string>> = {
  json: jsonMediaType,
  yaml: yamlMediaType,
  protobuf: protobufMediaType,
};

export function contentTypeOf(encoding: Encoding): string {
  return mediaTypes[encoding];
}

/** Returns the Content-Type of a watch. Only protobuf declares `stream=watch`: JSON needs no framing. */
export function streamTypeOf(encoding: Encoding): string {
  return encoding === 'protobuf' ? `${protobufMediaType};stream=watch` : contentTypeOf(encoding);
}
