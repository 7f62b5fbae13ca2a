import type { Clock, HttpRequest, HttpResponse } from '@slipway/base';
import { StatusError } from '@slipway/kube';
import type { UserInfo } from '../../contract/index.js';
import type { RequestInfo } from '../request-info.js';
import { bodyBytesMax } from '../body.js';
import { BodyBudget, type BodyReservation } from './body-budget.js';
import { FairPool, type PoolLimits, tooManyRequests } from './fair-pool.js';
import { type LargeRequest, LargeRequests } from './large-requests.js';
import type { Assignment, PriorityLevels } from './priority-levels.js';

export interface FlowLimits {
  readonly readOnly: PoolLimits;
  readonly mutating: PoolLimits;
}

const mebibyte = 1_024 ** 2;

/**
 * Default limits. Reads are served from memory and rarely overlap; writes wait for the disk and for webhooks. No user takes more
 * than a quarter of the seats.
 */
const limitsDefault: FlowLimits = {
  readOnly: { seats: 2_000, seatsPerFlow: 500, queuePerFlow: 500 },
  mutating: { seats: 500, seatsPerFlow: 125, queuePerFlow: 200 },
};
/** Limits of requests for Leases. Leases renew leadership, so they have their own seats and never wait behind other writes. */
const leaseLimits: PoolLimits = { seats: 100, seatsPerFlow: 25, queuePerFlow: 50 };
/** Limits of requests to mounted handlers. These handlers call the API themselves, so they must not occupy its seats. */
const mountedLimits: PoolLimits = { seats: 200, seatsPerFlow: 50, queuePerFlow: 50 };
const bodyLimits = { bytes: 256 * mebibyte, bytesPerFlow: 32 * mebibyte };
/**
 * Maximum number of watches of one user. Every event is sent to each of them; controllers that watch all resources need fewer.
 */
const watchesPerUserMax = 500;
const bodyDeadlineMs = 30_000;

type Release = () => void;
const nothing: Release = () => undefined;

/**
 * Decides which requests are handled, which wait and which are rejected. A request with a body takes its seat after the body
 * was received. Members of system:masters are exempt.
 */
export class FlowControl {
  readonly #pools: { readonly readOnly: FairPool; readonly mutating: FairPool };
  readonly #leases = new FairPool(leaseLimits);
  readonly #mounted = new FairPool(mountedLimits);
  readonly #bodies = new BodyBudget(bodyLimits);
  readonly #large: LargeRequests;
  readonly #watches = new Map<string, number>();

  constructor(
    private readonly clock: Clock,
    limits: FlowLimits = limitsDefault,
    private readonly levels?: PriorityLevels,
  ) {
    this.#large = new LargeRequests(clock);
    this.#pools = { readOnly: new FairPool(limits.readOnly), mutating: new FairPool(limits.mutating) };
  }

  /** Returns the place of an authorized API request. The request takes its seat when its body is complete. */
  request(info: RequestInfo, user: UserInfo): FlowPlace {
    if (user.groups?.includes('system:masters') === true) return new FlowPlace(this.clock, undefined, undefined, '');
    const large = this.#large.open(user.username);
    const assignment = this.levels?.assign(info, user);
    if (assignment !== undefined)
      return new FlowPlace(this.clock, assignment.pool, this.#bodies, user.username, { large, assignment });
    const isRead = info.method === 'GET' || info.method === 'HEAD';
    const isLease = info.resource === 'leases' && info.group === 'coordination.k8s.io';
    const pool = isLease ? this.#leases : isRead ? this.#pools.readOnly : this.#pools.mutating;
    return new FlowPlace(this.clock, pool, this.#bodies, user.username, { large });
  }

  /** Counts a watch until the returned function is called. Throws 429 if the user has too many. */
  openWatch({ username, groups }: UserInfo): Release {
    if (groups?.includes('system:masters') === true) return nothing;
    const open = this.#watches.get(username) ?? 0;
    if (open >= watchesPerUserMax) throw tooManyRequests();
    this.#watches.set(username, open + 1);
    return () => {
      const left = (this.#watches.get(username) ?? 0) - 1;
      if (left > 0) this.#watches.set(username, left);
      else this.#watches.delete(username);
    };
  }

  /** Serves a request to a mounted handler. The handler does its own authentication, so the flow is the address of the client. */
  async serveMounted(
    request: HttpRequest,
    handle: (request: HttpRequest) => Promise<HttpResponse>,
  ): Promise<HttpResponse> {
    const place = new FlowPlace(this.clock, this.#mounted, this.#bodies, `address ${request.remoteAddress}`);
    const disconnected = new AbortController();
    request.onClose(() => disconnected.abort(new Error('the client closed the connection')));
    try {
      const body = request.method === 'POST' ? await place.receive(request) : undefined;
      await place.enter(() => disconnected.signal);
      await request.turn?.();
      return await handle(request.method === 'POST' ? withBody(request, body) : request);
    } finally {
      place.leave();
    }
  }
}

/** The body budget and the seat of one request. */
export class FlowPlace {
  #leaveSeat: Release = nothing;
  #body: BodyReservation | undefined;
  #hasLeft = false;

  constructor(
    private readonly clock: Clock,
    private readonly pool: FairPool | undefined,
    private readonly bodies: BodyBudget | undefined,
    private readonly flow: string,
    private readonly choices: { readonly large?: LargeRequest; readonly assignment?: Assignment } = {},
  ) {}

  /** The priority level of stored objects; undefined if the server's own limits apply. */
  get assignment(): Assignment | undefined {
    return this.choices.assignment;
  }

  /** The steps of the request if it is large; undefined for requests that are not limited. */
  get large(): LargeRequest | undefined {
    return this.choices.large;
  }

  /** Receives the body within the deadline. Resolves to undefined if it is too large. */
  async receive(request: Pick<HttpRequest, 'readBody'>): Promise<Buffer | undefined> {
    this.#body = this.bodies?.open(this.flow);
    const late = new AbortController();
    const timer = this.clock.setTimer(bodyDeadlineMs, () => late.abort(requestTimedOut()));
    try {
      return await request.readBody(bodyBytesMax, { onBytes: (bytes) => this.#body?.add(bytes), signal: late.signal });
    } finally {
      timer.cancel();
    }
  }

  /** Takes a seat, or waits for one until the signal aborts. */
  async enter(signal: () => AbortSignal): Promise<void> {
    if (this.pool === undefined) return;
    const flow = this.assignment?.flow ?? this.flow;
    this.#leaveSeat = this.pool.tryTake(flow) ?? (await this.pool.wait(flow, signal()));
    if (this.#hasLeft) this.#leaveSeat();
  }

  leave(): void {
    this.#hasLeft = true;
    this.#leaveSeat();
    this.large?.leave();
    this.#body?.release();
  }
}

function withBody(request: HttpRequest, body: Buffer | undefined): HttpRequest {
  return {
    method: request.method,
    url: request.url,
    headers: request.headers,
    remoteAddress: request.remoteAddress,
    get clientCertificate() {
      return request.clientCertificate;
    },
    get clientIntermediates() {
      return request.clientIntermediates ?? [];
    },
    readBody: (bytesMax) => Promise.resolve(body !== undefined && body.length > bytesMax ? undefined : body),
    onClose: (callback) => request.onClose(callback),
  };
}

export function requestTimedOut(): StatusError {
  return new StatusError({
    code: 504,
    reason: 'Timeout',
    message: 'Timeout: request did not complete within the allotted timeout',
    details: {},
  });
}
