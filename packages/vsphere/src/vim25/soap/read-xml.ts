import sax, { type QualifiedAttribute, type QualifiedTag } from 'sax';
import { VimProtocolError } from '../errors.js';

/** An element of a response: its local name, the relevant attributes and its content. */
export interface XmlElement {
  readonly name: string;
  /** The value of `xsi:type` without its namespace prefix. */
  readonly type?: string;
  /** The attribute `type` without namespace: the type of a managed object. */
  readonly kind?: string;
  readonly children: XmlElement[];
  text: string;
}

const instanceNamespace = 'http://www.w3.org/2001/XMLSchema-instance';
/** Maximum nesting of elements. Snapshots are nested, up to 32 levels in vCenter. */
const depthMax = 200;

/** Parses one document, with namespace support. Entity definitions are rejected. */
export function readXml(text: string): XmlElement {
  const reader = sax.parser(true, { xmlns: true, position: false });
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  reader.onerror = (error) => {
    throw new VimProtocolError(`the response is not valid XML: ${firstLine(error.message)}`);
  };
  reader.ondoctype = () => {
    throw new VimProtocolError('the response contains a document type definition');
  };
  reader.onopentag = (tag) => {
    if (open.length >= depthMax) throw new VimProtocolError(`the response is nested deeper than ${depthMax} elements`);
    const element = toElement(tag as QualifiedTag);
    const parent = open.at(-1);
    if (parent !== undefined) parent.children.push(element);
    else root ??= element;
    open.push(element);
  };
  const onText = (part: string): void => {
    const element = open.at(-1);
    if (element !== undefined) element.text += part;
  };
  reader.ontext = onText;
  reader.oncdata = onText;
  reader.onclosetag = () => void open.pop();
  reader.write(text).close();
  if (root === undefined) throw new VimProtocolError('the response is empty');
  return root;
}

function toElement(tag: QualifiedTag): XmlElement {
  let type: string | undefined;
  let kind: string | undefined;
  for (const attribute of Object.values<QualifiedAttribute>(tag.attributes)) {
    if (attribute.local !== 'type') continue;
    if (attribute.uri === instanceNamespace) type = attribute.value.slice(attribute.value.indexOf(':') + 1);
    else if (attribute.prefix === '') kind = attribute.value;
  }
  return { name: tag.local, type, kind, children: [], text: '' };
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0] ?? '';
}

export function childNamed(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((child) => child.name === name);
}
