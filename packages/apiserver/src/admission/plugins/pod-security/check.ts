import { type Fields, fieldsOf, itemsOf, textOf } from '@slipway/kube';

/** A violation that a check found in a pod. */
interface Violation {
  readonly reason: string;
  readonly detail: string;
}

export interface PodView {
  readonly spec: Fields;
  readonly annotations: Readonly<Record<string, string>>;
}

/** One check of the Pod Security Standards. */
export interface Check {
  readonly id: string;
  run(pod: PodView): Violation | undefined;
}

export interface NamedContainer {
  readonly name: string;
  readonly container: Fields;
  readonly security: Fields;
}

export function allContainers({ spec }: PodView): readonly NamedContainer[] {
  return ['initContainers', 'containers', 'ephemeralContainers']
    .flatMap((list) => itemsOf(spec[list]))
    .map((container) => ({
      name: textOf(container['name']),
      container,
      security: fieldsOf(container['securityContext']),
    }));
}

export function podSecurity({ spec }: PodView): Fields {
  return fieldsOf(spec['securityContext']);
}

export function quoted(names: Iterable<string>): string {
  return [...names].map((name) => JSON.stringify(name)).join(', ');
}

export function sorted(values: Iterable<string>): readonly string[] {
  return [...new Set(values)].sort();
}

export function plural(one: string, many: string, count: number): string {
  return count === 1 ? one : many;
}

/** Returns `container "a"` or `containers "a", "b"`. */
export function containerText(names: readonly string[]): string {
  return `${plural('container', 'containers', names.length)} ${quoted(names)}`;
}

export function namesOf(containers: readonly NamedContainer[]): readonly string[] {
  return containers.map(({ name }) => name);
}
