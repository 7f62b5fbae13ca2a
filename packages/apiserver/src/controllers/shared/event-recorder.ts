import type { Clock, Logger } from '@slipway/base';
import { formatTime, type Frozen, type KubeObject } from '@slipway/kube';
import type { LoopbackClient } from '../../registry/index.js';

export interface RecordedEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** Records events of controllers. A failure to record never fails the controller. */
export class EventRecorder {
  #count = 0;

  constructor(
    private readonly dependencies: { readonly clock: Clock; readonly logger: Logger },
    private readonly client: LoopbackClient,
    private readonly component: string,
  ) {}

  async record(about: Frozen<KubeObject>, event: RecordedEvent): Promise<void> {
    try {
      await this.client.create(this.#object(about, event));
    } catch (error) {
      this.dependencies.logger.debug({ err: error, reason: event.reason }, 'Failed to record an event');
    }
  }

  #object(about: Frozen<KubeObject>, event: RecordedEvent): KubeObject {
    const { name = '', namespace, uid, resourceVersion } = about.metadata;
    const now = this.dependencies.clock.now();
    this.#count += 1;
    const time = formatTime(now);
    // Upstream's suffix is the time in nanoseconds; the counter distinguishes events of the same millisecond.
    const suffix = (BigInt(now) * 1_000_000n + BigInt(this.#count % 1_000_000)).toString(16);
    return {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${suffix}`, namespace: namespace ?? 'default' },
      involvedObject: {
        kind: about.kind,
        apiVersion: about.apiVersion,
        name,
        ...(namespace === undefined ? {} : { namespace }),
        ...(uid === undefined ? {} : { uid }),
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
      },
      ...event,
      source: { component: this.component },
      reportingComponent: this.component,
      reportingInstance: '',
      firstTimestamp: time,
      lastTimestamp: time,
      count: 1,
    };
  }
}
