/** The invariants of every run. */
export type InvariantName =
  | 'no acknowledged write is lost'
  | 'no surplus machine'
  | 'a move changes nothing'
  | 'etcd keeps its quorum'
  | 'only the leader writes'
  | 'every write is a recorded change'
  | 'objects that are not ready report a reason'
  | 'everything converges'
  | 'no writes at rest'
  | 'deletion leaves nothing'
  | 'no internal error'
  | 'no livelock';

export class Violation extends Error {
  constructor(
    readonly invariant: InvariantName,
    readonly detail: string,
  ) {
    super(`${invariant}: ${detail}`);
    this.name = 'Violation';
  }
}
