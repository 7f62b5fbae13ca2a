import type { Duplex } from 'node:stream';
import type { Clock } from '@slipway/base';
import { LinkedSignal, type ObjectKey } from '@slipway/runtime';
import { type EtcdAlarm, EtcdError, type EtcdMember, type EtcdState, type EtcdStep } from './etcd-state.js';
import { type EtcdCredentials, GrpcConnection } from './grpc-connection.js';
import { alarmActions, alarmNames, etcdRpcs, type Rpc } from './protocol/index.js';

export interface EtcdCallOptions {
  readonly signal?: AbortSignal;
}

/**
 * The etcd of a workload cluster, reached through the port of a Pod `etcd-<node>`. Node names are tried in the order given;
 * the first member that responds is used. Every failure is an EtcdError, except an abort, which rejects with its reason.
 */
export interface EtcdCluster {
  state(nodeNames: readonly string[], options?: EtcdCallOptions): Promise<EtcdState>;
  /**
   * Removes a member by a call to another member. Succeeds if the member does not exist. Never removes the last member. The
   * caller must check before that etcd keeps its quorum, see `etcdTarget`.
   */
  removeMember(
    member: Pick<EtcdMember, 'id' | 'name'>,
    nodeNames: readonly string[],
    options?: EtcdCallOptions,
  ): Promise<void>;
  /** Moves leadership from the member of one Node to that of another. Does nothing if the first one is not the leader. */
  forwardLeadership(fromNode: string, toNode: string, options?: EtcdCallOptions): Promise<void>;
}

/** A connection to one member. */
export type EtcdConnection = Pick<GrpcConnection, 'call' | 'close'>;

/** Connects to the member of a Node. */
export type EtcdDialer = (nodeName: string, signal: AbortSignal) => Promise<EtcdConnection>;

/** How to reach members: with a dialer, or through a port-forward to their Pods. */
export type EtcdClusterOptions = ({ readonly dial: EtcdDialer } | PortForwardDialOptions) & {
  readonly clock: Clock;
  readonly dialTimeoutMs?: number;
  readonly callTimeoutMs?: number;
};

const clientPort = 2379;
const dialTimeoutMsDefault = 10_000;
const callTimeoutMsDefault = 15_000;

export interface PortForwardDialOptions {
  /** Opens a stream to a port of a Pod. */
  readonly portForward: (pod: ObjectKey, port: number, options: { readonly signal: AbortSignal }) => Promise<Duplex>;
  readonly credentials: EtcdCredentials;
}

/** Returns a dialer that uses a port-forward to the etcd Pod, which works wherever the member runs. */
function dialByPortForward({ portForward, credentials }: PortForwardDialOptions): EtcdDialer {
  return async (nodeName, signal) => {
    const endpoint = endpointOf(nodeName);
    const stream = await portForward({ namespace: 'kube-system', name: endpoint }, clientPort, { signal });
    if (signal.aborted) stream.destroy();
    return GrpcConnection.open(stream, endpoint, credentials, signal);
  };
}

function endpointOf(nodeName: string): string {
  return `etcd-${nodeName}`;
}

export function createEtcdCluster(options: EtcdClusterOptions): EtcdCluster {
  return new PodEtcdCluster(options);
}

interface Connected {
  readonly connection: EtcdConnection;
  readonly leaderId: bigint;
}

type AskedMember = Pick<EtcdMember, 'id' | 'name' | 'isLearner'>;

class PodEtcdCluster implements EtcdCluster {
  readonly #clock: Clock;
  readonly #dial: EtcdDialer;
  readonly #dialTimeoutMs: number;
  readonly #callTimeoutMs: number;

  constructor(options: EtcdClusterOptions) {
    this.#clock = options.clock;
    this.#dial = 'dial' in options ? options.dial : dialByPortForward(options);
    this.#dialTimeoutMs = options.dialTimeoutMs ?? dialTimeoutMsDefault;
    this.#callTimeoutMs = options.callTimeoutMs ?? callTimeoutMsDefault;
  }

  state(nodeNames: readonly string[], { signal }: EtcdCallOptions = {}): Promise<EtcdState> {
    return this.#connected(nodeNames, signal, async (connected) => {
      const members = await this.#members(connected, signal);
      const alarms = await this.#alarms(connected, signal);
      const leader = members.find(({ id }) => id === String(connected.leaderId));
      return {
        members: members.map((member) => ({ ...member, alarms: alarms.get(member.id) ?? [] })),
        leader: leader === undefined || leader.name === '' ? undefined : leader.name,
      };
    });
  }

  removeMember(
    { id, name }: Pick<EtcdMember, 'id' | 'name'>,
    nodeNames: readonly string[],
    { signal }: EtcdCallOptions = {},
  ): Promise<void> {
    const others = nodeNames.filter((nodeName) => nodeName !== name);
    return this.#connected(others, signal, async (connected) => {
      const members = await this.#members(connected, signal);
      if (!members.some((member) => member.id === id)) return;
      if (members.length === 1)
        throw new EtcdError('Refused', 'remove member', 'cannot remove the last etcd member in the cluster');
      await this.#call(connected, etcdRpcs.memberRemove, { id: BigInt(id) }, 'remove member', signal);
    });
  }

  forwardLeadership(fromNode: string, toNode: string, { signal }: EtcdCallOptions = {}): Promise<void> {
    // Call the leader, because only the leader can transfer leadership.
    return this.#connected([fromNode], signal, async (connected) => {
      const members = await this.#members(connected, signal);
      if (namedId(members, fromNode) !== String(connected.leaderId)) return;
      const next = namedId(members, toNode);
      if (next === undefined)
        throw new EtcdError(
          'Refused',
          'move leader',
          `failed to get etcd member for leader candidate ${JSON.stringify(toNode)}`,
        );
      await this.#call(connected, etcdRpcs.moveLeader, { targetId: BigInt(next) }, 'move leader', signal);
    });
  }

  async #members(connected: Connected, signal: AbortSignal | undefined): Promise<AskedMember[]> {
    const answer = await this.#call(connected, etcdRpcs.memberList, { linearizable: true }, 'members', signal);
    return answer.members.map(({ id, name, isLearner }) => ({ id: String(id), name, isLearner }));
  }

  async #alarms(connected: Connected, signal: AbortSignal | undefined): Promise<Map<string, EtcdAlarm[]>> {
    const answer = await this.#call(connected, etcdRpcs.alarm, { action: alarmActions.get }, 'alarms', signal);
    const alarms = new Map<string, EtcdAlarm[]>();
    for (const { memberId, alarm } of answer.alarms) {
      const name = alarmNames[alarm] ?? (`${alarm}` as const);
      if (name !== 'NONE') alarms.set(String(memberId), [...(alarms.get(String(memberId)) ?? []), name]);
    }
    return alarms;
  }

  async #connected<T>(
    nodeNames: readonly string[],
    signal: AbortSignal | undefined,
    use: (connected: Connected) => Promise<T>,
  ): Promise<T> {
    const connected = await this.#connect(nodeNames, signal);
    try {
      return await use(connected);
    } finally {
      connected.connection.close();
    }
  }

  async #connect(nodeNames: readonly string[], signal: AbortSignal | undefined): Promise<Connected> {
    const failures: EtcdError[] = [];
    for (const nodeName of nodeNames) {
      try {
        return await this.#open(nodeName, signal);
      } catch (error) {
        signal?.throwIfAborted();
        failures.push(error instanceof EtcdError ? error : unreachable(nodeName, error));
      }
    }
    throw joined(failures);
  }

  /** Opens a connection. It is established once the member has reported the leader. */
  async #open(nodeName: string, signal: AbortSignal | undefined): Promise<Connected> {
    const endpoint = endpointOf(nodeName);
    const timedOut = (): EtcdError =>
      new EtcdError('Timeout', 'connect', `no connection to ${endpoint} within ${this.#dialTimeoutMs / 1000} s`);
    const connection = await withDeadline(this.#clock, this.#dialTimeoutMs, timedOut, signal, (dialing) =>
      this.#dial(nodeName, dialing),
    );
    try {
      const { leader } = await this.#call({ connection }, etcdRpcs.status, {}, 'connect', signal);
      return { connection, leaderId: leader };
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  #call<Request, Response>(
    { connection }: Pick<Connected, 'connection'>,
    rpc: Rpc<Request, Response>,
    request: Partial<Request>,
    step: EtcdStep,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    const timedOut = (): EtcdError =>
      new EtcdError('Timeout', step, `etcd did not respond within ${this.#callTimeoutMs / 1000} s`);
    return withDeadline(this.#clock, this.#callTimeoutMs, timedOut, signal, (calling) =>
      connection.call(rpc, request, { step, signal: calling }),
    );
  }
}

function namedId(members: readonly AskedMember[], name: string): string | undefined {
  return members.find((member) => member.name === name)?.id;
}

function unreachable(nodeName: string, error: unknown): EtcdError {
  const text = error instanceof Error ? error.message : String(error);
  return new EtcdError('Unreachable', 'connect', `no connection to ${endpointOf(nodeName)}: ${text}`, { cause: error });
}

function joined(failures: readonly EtcdError[]): EtcdError {
  const [first] = failures;
  if (first === undefined) return new EtcdError('Unreachable', 'connect', 'no Node is available to connect to etcd');
  if (failures.length === 1) return first;
  const text = `[${failures.map(({ message }) => message).join(', ')}]`;
  return new EtcdError(first.reason, 'connect', text, { cause: first });
}

/** Runs work with a deadline. The work must release its resources when its signal aborts. */
export async function withDeadline<T>(
  clock: Clock,
  ms: number,
  timedOut: () => Error,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const linked = new LinkedSignal(signal);
  const timer = clock.setTimer(ms, () => linked.abort(timedOut()));
  try {
    linked.signal.throwIfAborted();
    return await Promise.race([work(linked.signal), rejection(linked.signal)]);
  } finally {
    timer.cancel();
    linked.release();
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
