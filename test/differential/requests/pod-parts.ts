import { get, namespace, patch, post, type RequestStep, type Script } from '../script.js';

const pods = '/api/v1/namespaces/pod-parts/pods';
const guests = `${pods}/p/ephemeralcontainers`;
const resize = `${pods}/p/resize`;

const pod = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: {
    automountServiceAccountToken: false,
    containers: [{ name: 'a', image: 'i', resources: { requests: { cpu: '100m', memory: '64Mi' } } }],
    ...more,
  },
});

const guest = (name: string, container: object, more: Partial<RequestStep> = {}): RequestStep =>
  patch('strategic', name, guests, { spec: { ephemeralContainers: [container] } }, more);
const resized = (name: string, container: object): RequestStep =>
  patch('strategic', name, resize, { spec: { containers: [{ name: 'a', ...container }] } });

/** Mutable and immutable fields of an existing Pod. */
export const podParts: Script = {
  name: 'pod parts',
  steps: [
    ...namespace('pod-parts'),
    post('create', pods, pod('p')),
    post('guests from the start', pods, pod('q', { ephemeralContainers: [{ name: 'e', image: 'x' }] })),
    get(guests),
    patch('strategic', 'add a guest', guests, {
      metadata: { labels: { ignored: 'x' } },
      spec: { ephemeralContainers: [{ name: 'debug', image: 'busybox', targetContainerName: 'a' }] },
    }),
    guest('change a guest', { name: 'debug', image: 'other' }, { only: 'reason' }),
    patch('json', 'remove the guests', guests, [{ op: 'remove', path: '/spec/ephemeralContainers' }]),
    guest('a guest without an image', { name: 'd2' }),
    guest('a guest with the name of a resident', { name: 'a', image: 'x' }),
    guest('an ephemeral container with an unknown target', { name: 'd3', image: 'x', targetContainerName: 'zz' }),
    guest('a guest with ports', { name: 'd4', image: 'x', ports: [{ containerPort: 80 }] }),
    guest('a guest with claims', { name: 'd5', image: 'x', resources: { requests: { cpu: '1' } } }),
    guest('a guest with a probe', { name: 'd6', image: 'x', livenessProbe: { exec: { command: ['a'] } } }),
    patch('strategic', 'something else through the door of guests', guests, {
      spec: { containers: [{ name: 'a', image: 'changed' }] },
    }),
    patch('strategic', 'resize', resize, {
      metadata: { labels: { ignored: 'x' } },
      spec: { containers: [{ name: 'a', resources: { requests: { cpu: '200m' }, limits: { cpu: '1' } } }] },
    }),
    resized('an image through resize', { image: 'zzz' }),
    resized('more requests than limits', { resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }),
    resized('storage', { resources: { requests: { 'ephemeral-storage': '2' } } }),
    resized('another quality', {
      resources: { requests: { cpu: '1', memory: '64Mi' }, limits: { cpu: '1', memory: '64Mi' } },
    }),
    patch('json', 'no more requests', resize, [{ op: 'remove', path: '/spec/containers/0/resources/requests/memory' }]),
    resized('another policy', { resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] }),
    patch('strategic', 'a new container', resize, { spec: { containers: [{ name: 'b', image: 'x' }] } }),
    get(`${pods}/p`),
  ],
};
