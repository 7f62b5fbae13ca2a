import { VimFault, VimProtocolError } from '../errors.js';
import {
  type Data,
  type MethodEntry,
  type MethodName,
  type MethodParameters,
  type MethodResult,
  methods,
  type ObjectRef,
  parseField,
  parseFields,
} from '../schema/index.js';
import { decodeElement, decodeField } from './decode.js';
import { encodeFields, escape } from './encode.js';
import { childNamed, readXml, type XmlElement } from './read-xml.js';

export interface Service {
  readonly namespace: string;
  /** The vim25 session cookie, which the storage policy service requires in a SOAP header. */
  readonly sessionCookie?: string;
}

const soapNamespace = 'http://schemas.xmlsoap.org/soap/envelope/';

export function writeRequest<Name extends MethodName>(
  service: Service,
  method: Name,
  target: ObjectRef,
  parameters: MethodParameters<Name>,
): string {
  const header =
    service.sessionCookie === undefined
      ? ''
      : `<Header><vcSessionCookie xmlns="">${escape(service.sessionCookie, 'vcSessionCookie')}</vcSessionCookie></Header>`;
  const fields = encodeFields(
    [parseField('_this', 'ManagedObjectReference!'), ...parseFields(methods[method].parameters)],
    { _this: target, ...parameters },
    method,
  );
  return (
    '<?xml version="1.0" encoding="UTF-8"?>' +
    `<Envelope xmlns="${soapNamespace}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema">` +
    `${header}<Body><${method} xmlns="${service.namespace}">${fields}</${method}></Body></Envelope>`
  );
}

/** Returns the result of a call, or throws its fault. `subject` names the call in errors. */
export function readResponse<Name extends MethodName>(method: Name, text: string, subject: string): MethodResult<Name> {
  const envelope = readXml(text);
  const body = childNamed(envelope, 'Body')?.children[0];
  if (envelope.name !== 'Envelope' || body === undefined)
    throw new VimProtocolError(`${subject}: the response has no body`);
  if (body.name === 'Fault') throw readFault(body, subject);
  if (body.name !== `${method}Response`) {
    throw new VimProtocolError(`${subject}: unexpected response ${body.name.slice(0, 80)}`);
  }
  const entry: MethodEntry = methods[method];
  if (entry.returns === undefined) return undefined as MethodResult<Name>;
  const field = parseField('returnval', entry.returns);
  const returned = body.children.filter(({ name }) => name === 'returnval');
  if (returned.length === 0 && field.required) throw new VimProtocolError(`${subject}: the response has no result`);
  return decodeField(field, returned) as MethodResult<Name>;
}

function readFault(fault: XmlElement, subject: string): Error {
  const message = childNamed(fault, 'faultstring')?.text.trim() ?? '';
  const detail = childNamed(fault, 'detail')?.children[0];
  if (detail === undefined) {
    return new VimFault(childNamed(fault, 'faultcode')?.text ?? 'Fault', message, {}, subject);
  }
  const type = detail.type ?? detail.name.replace(/Fault$/, '');
  const details = decodeElement({ ...detail, type }, 'MethodFault') as Data<'MethodFault'>;
  return new VimFault(type, message, details, subject);
}
