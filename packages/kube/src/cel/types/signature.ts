import type { CelType } from './cel-type.js';
import * as cel from './cel-type.js';

/** The signature of an overload. `args` includes the receiver of a member function. */
export interface Signature {
  readonly isMember: boolean;
  readonly args: readonly CelType[];
  readonly result: CelType;
  readonly parameters: readonly string[];
}

const NAMED: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ['bool', cel.boolType],
  ['bytes', cel.bytesType],
  ['double', cel.doubleType],
  ['duration', cel.durationType],
  ['dyn', cel.dynType],
  ['int', cel.intType],
  ['null', cel.nullType],
  ['string', cel.stringType],
  ['timestamp', cel.timestampType],
  ['uint', cel.uintType],
  ['IP', cel.opaqueType('net.IP')],
  ['CIDR', cel.opaqueType('net.CIDR')],
  ['URL', cel.structType('kubernetes.URL')],
  ['Quantity', cel.structType('kubernetes.Quantity')],
  ['Semver', cel.structType('kubernetes.Semver')],
  ['Format', cel.structType('kubernetes.NamedFormat')],
  ['Authorizer', cel.structType('kubernetes.authorization.Authorizer')],
  ['PathCheck', cel.structType('kubernetes.authorization.PathCheck')],
  ['GroupCheck', cel.structType('kubernetes.authorization.GroupCheck')],
  ['ResourceCheck', cel.structType('kubernetes.authorization.ResourceCheck')],
  ['Decision', cel.structType('kubernetes.authorization.Decision')],
]);

/**
 * Parses `string.charAt(int): string` or `(list(A), int): A`. The libraries declare their functions as text, because that
 * is easier to compare with the documentation than nested calls.
 */
export function parseSignature(text: string): Signature {
  const reader = new SignatureReader(text);
  return reader.read();
}

export function namedType(name: string): CelType {
  const found = NAMED.get(name);
  if (found === undefined) throw new Error(`unknown type ${name}`);
  return found;
}

class SignatureReader {
  private position = 0;
  private readonly parameters = new Set<string>();

  constructor(private readonly text: string) {}

  read(): Signature {
    const args: CelType[] = [];
    const isMember = !this.text.startsWith('(');
    if (isMember) {
      args.push(this.type());
      this.skip('.');
    }
    this.skip('(');
    while (!this.text.startsWith(')', this.position)) {
      args.push(this.type());
      this.accept(', ');
    }
    this.skip('): ');
    const result = this.type();
    return { isMember, args, result, parameters: [...this.parameters] };
  }

  private type(): CelType {
    const name = /[A-Za-z]+/y;
    name.lastIndex = this.position;
    const word = name.exec(this.text)?.[0] ?? '';
    this.position += word.length;
    if (/^[A-Z]$/.test(word)) {
      this.parameters.add(word);
      return cel.parameterType(word);
    }
    if (word === 'list') return cel.listType(this.inner()[0] ?? cel.dynType);
    if (word === 'optional') return cel.optionalType(this.inner()[0] ?? cel.dynType);
    if (word === 'type') return cel.typeOfType(this.inner()[0] ?? cel.dynType);
    if (word !== 'map') return namedType(word);
    const [key, value] = this.inner();
    return cel.mapType(key ?? cel.dynType, value ?? cel.dynType);
  }

  private inner(): CelType[] {
    this.skip('(');
    const types = [this.type()];
    while (this.accept(', ')) types.push(this.type());
    this.skip(')');
    return types;
  }

  private accept(text: string): boolean {
    const found = this.text.startsWith(text, this.position);
    if (found) this.position += text.length;
    return found;
  }

  private skip(text: string): void {
    if (!this.accept(text)) throw new Error(`bad signature ${this.text} at ${this.position}`);
  }
}
