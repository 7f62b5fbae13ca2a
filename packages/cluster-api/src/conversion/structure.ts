import type { MutableJson, MutableJsonObject } from '@slipway/kube';
import { type Codec, type ConversionContext, same } from './codec.js';
import { isObject } from './json-object.js';
import { parsePath, type Path, put, take } from './paths.js';

/** The old path, the new path and the codec of a value. */
export interface Move {
  readonly old: Path | undefined;
  readonly new: Path | undefined;
  readonly codec: Codec;
}

/** Declares a value whose path differs in the new version. */
export function move(oldPath: string, newPath: string, codec: Codec = same): Move {
  return { old: parsePath(oldPath), new: parsePath(newPath), codec };
}

/** Declares a value with the same path but a different form. */
export function at(path: string, codec: Codec): Move {
  return move(path, path, codec);
}

/** Declares fields that do not exist in the new version. */
export function onlyOld(...paths: readonly string[]): Move[] {
  return paths.map((path) => ({ old: parsePath(path), new: undefined, codec: same }));
}

/** Declares fields that do not exist in the old version. */
export function onlyNew(...paths: readonly string[]): Move[] {
  return paths.map((path) => ({ old: undefined, new: parsePath(path), codec: same }));
}

/** Adds a prefix to both paths of each move. Several kinds share such moves. */
export function inside(oldPrefix: string, newPrefix: string, moves: readonly Move[]): Move[] {
  const prefixed = (prefix: string, path: Path | undefined) => path && [...parsePath(prefix), ...path];
  return moves.map(({ old, new: next, codec }) => ({
    old: prefixed(oldPrefix, old),
    new: prefixed(newPrefix, next),
    codec,
  }));
}

/** Returns the codec of an object from the differences between both versions. All other fields are equal. */
export function structure(...parts: readonly (Move | readonly Move[])[]): Codec {
  const moves = parts.flat();
  const up = direction(moves, 'old', 'new', 'up');
  const down = direction(moves, 'new', 'old', 'down');
  return {
    up: (value, context) => (isObject(value) ? up(value, context) : value),
    down: (value, context) => (isObject(value) ? down(value, context) : value),
  };
}

type Side = 'old' | 'new';

function direction(moves: readonly Move[], from: Side, to: Side, verb: 'up' | 'down') {
  // Remove a field before its parent, and add it after its parent.
  const takes = moves.filter((entry) => entry[from] !== undefined).sort(byDepth(from, -1));
  const puts = takes.filter((entry) => entry[to] !== undefined).sort(byDepth(to, 1));
  return (object: MutableJsonObject, context: ConversionContext): MutableJsonObject => {
    const taken = new Map<Move, MutableJson>();
    for (const entry of takes) {
      const value = take(object, entry[from] ?? []);
      if (value !== undefined) taken.set(entry, value);
    }
    for (const entry of puts) {
      const value = taken.get(entry);
      const converted = value === undefined ? undefined : entry.codec[verb](value, context);
      if (converted !== undefined) put(object, entry[to] ?? [], converted);
    }
    return object;
  };
}

function byDepth(side: Side, sign: 1 | -1) {
  return (left: Move, right: Move): number => sign * ((left[side]?.length ?? 0) - (right[side]?.length ?? 0));
}
