const managerBytesMax = 128;
const printable = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** Who a write is by: the field manager it names, else the product that sends it (`kubectl/v1.36 (linux)` is `kubectl`). */
export function fieldManagerName(fieldManager: string | undefined, userAgent: string): string {
  if (fieldManager !== undefined && fieldManager !== '') return fieldManager;
  const product = userAgent.split('/', 1)[0] as string;
  // Some products stand without a version: what follows in parentheses is a comment.
  const comment = product.indexOf(' (');
  let name = '';
  let bytes = 0;
  for (const character of comment < 0 ? product : product.slice(0, comment)) {
    if (!printable.test(character)) continue;
    bytes += Buffer.byteLength(character);
    if (bytes > managerBytesMax) break;
    name += character;
  }
  return name;
}
