import { get, patch, post, remove, type Step, table } from '../script.js';

export const core = '/api/v1/namespaces/kinds';
export const group = (name: string) => `/apis/${name}/namespaces/kinds`;

export interface Kind {
  readonly path: string;
  /** Whether a controller may write the status at any time, so that only the state before that can be compared. */
  readonly controlled?: boolean;
  readonly valid: Record<string, unknown>;
  readonly broken?: Record<string, unknown>;
}

export const object = (apiVersion: string, kind: string, name: string, rest: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name },
  ...rest,
});
export const container = { name: 'c', image: 'registry.example.com/i:v1' };
export const labels = { app: 'x' };
export const template = { metadata: { labels }, spec: { containers: [container] } };

/** Returns the steps in the lifecycle of one object: create, get, update, apply, reject, delete. */
export const lifecycleOf = (kind: Kind): readonly Step[] => {
  const name = String((kind.valid.metadata as { name: string }).name);
  const title = `${String(kind.valid.kind)} ${name}`;
  const at = `${kind.path}/${encodeURIComponent(name)}`;
  const refusal = kind.broken === undefined ? [] : [post(`${title}: not valid`, kind.path, kind.broken)];
  const creation = post(`${title}: create`, kind.path, kind.valid);
  if (kind.controlled === true)
    return [creation, ...refusal, remove(`${title}: delete`, at, undefined, { only: 'kind' })];
  return [
    creation,
    get(at, { name: `${title}: table`, headers: table }),
    patch('merge', `${title}: label`, at, { metadata: { labels: { a: 'b' } } }),
    patch('apply', `${title}: apply`, `${at}?fieldManager=applier`, {
      apiVersion: kind.valid.apiVersion,
      kind: kind.valid.kind,
      metadata: { name, annotations: { a: 'b' } },
    }),
    ...refusal,
    remove(`${title}: delete`, `${at}?gracePeriodSeconds=0`),
  ];
};
