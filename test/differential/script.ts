/**
 * A step of a script. Scripts are data: requests in order, sent unchanged to both servers. `<<name.path>>` in a path, a header or
 * a body is replaced by a value of an earlier response of the same server that was saved under that name.
 */
export type Step = RequestStep | WatchStep | UntilStep;

export interface RequestStep {
  readonly name: string;
  /** Defaults to GET. */
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** The request body. An object is sent as JSON, a string unchanged. */
  readonly body?: unknown;
  readonly anonymous?: boolean;
  /** Saves the response under this name. */
  readonly save?: string;
  /** Compares only this part of the response body, e.g. `status.conditions`. */
  readonly only?: string;
}

/** Opens a watch, runs steps, and compares the events that arrive. */
export interface WatchStep {
  readonly name: string;
  readonly watch: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly during: readonly RequestStep[];
  readonly events: number;
  /** Whether to compare events as a set: the order of events of different objects is not part of the API. */
  readonly unordered?: boolean;
}

/** Repeats the request until the response has the value, to wait for a controller. */
export interface UntilStep {
  readonly name: string;
  readonly until: string;
  /** Sends a create request with this body instead of a GET. */
  readonly create?: object;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly anonymous?: boolean;
  readonly field?: string;
  readonly equals?: unknown;
  readonly status?: number;
}

export interface Script {
  readonly name: string;
  readonly steps: readonly Step[];
}

const json = { 'content-type': 'application/json' };

export const get = (path: string, more: Partial<RequestStep> = {}): RequestStep => ({
  name: `GET ${path}`,
  path,
  ...more,
});

export const post = (name: string, path: string, body: unknown, more: Partial<RequestStep> = {}): RequestStep => ({
  name,
  method: 'POST',
  path,
  body,
  ...more,
  headers: { ...json, ...more.headers },
});

export const put = (name: string, path: string, body: unknown, more: Partial<RequestStep> = {}): RequestStep => ({
  name,
  method: 'PUT',
  path,
  body,
  ...more,
  headers: { ...json, ...more.headers },
});

export type PatchForm = 'json' | 'merge' | 'strategic' | 'apply';

const patchTypes: Readonly<Record<PatchForm, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

export const patch = (
  form: PatchForm,
  name: string,
  path: string,
  body: unknown,
  more: Partial<RequestStep> = {},
): RequestStep => ({
  name,
  method: 'PATCH',
  path,
  body,
  ...more,
  headers: { 'content-type': patchTypes[form], ...more.headers },
});

export const remove = (name: string, path: string, body?: unknown, more: Partial<RequestStep> = {}): RequestStep => ({
  name,
  method: 'DELETE',
  path,
  ...(body === undefined ? {} : { body }),
  ...more,
  headers: { ...(body === undefined ? {} : json), ...more.headers },
});

export const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };
export const metadataOnly = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' };
export const metadataList = { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' };

/**
 * Creates a Namespace for the script and waits for the objects of controllers: Pods need the ServiceAccount, and lists show the
 * root CA.
 */
export const namespace = (name: string): readonly Step[] => [
  post(`create namespace ${name}`, '/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name },
  }),
  { name: `${name} has its service account`, until: `/api/v1/namespaces/${name}/serviceaccounts/default`, status: 200 },
  {
    name: `${name} has its root certificate`,
    until: `/api/v1/namespaces/${name}/configmaps/kube-root-ca.crt`,
    status: 200,
  },
];
