import type { MutableJson } from '@slipway/kube';
import { malformed } from './wire-reader.js';

const depthMax = 512;

/** Parses JSON inside a protobuf message. Its nesting depth is limited before parsing, because later steps are recursive. */
export function parseEmbeddedJson(bytes: Buffer): MutableJson {
  if (depthOf(bytes) > depthMax) throw malformed('embedded JSON is nested too deeply');
  try {
    return JSON.parse(bytes.toString('utf8')) as MutableJson;
  } catch {
    throw malformed('embedded JSON cannot be parsed');
  }
}

const quote = 0x22;
const backslash = 0x5c;
const openers = new Set([0x5b, 0x7b]);
const closers = new Set([0x5d, 0x7d]);

function depthOf(bytes: Buffer): number {
  let depth = 0;
  let deepest = 0;
  let quoted = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    if (quoted) {
      if (byte === backslash) index += 1;
      else if (byte === quote) quoted = false;
    } else if (byte === quote) quoted = true;
    else if (openers.has(byte)) deepest = Math.max(deepest, ++depth);
    else if (closers.has(byte)) depth -= 1;
  }
  return deepest;
}
